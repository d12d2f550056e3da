import { persistentSettings, prepareCluster } from './cluster.ts';
import { type Server, useServer } from './server.ts';

export { PostgresLaunchError } from './launch-error.ts';
export type { Server } from './server.ts';
export { openTemporaryReplica, openTemporaryServer, primarySettings } from './temporary.ts';

/**
 * Opens the PostgreSQL server of a data directory, which all processes with this directory share. Starts it if it does not
 * run, and creates the database on first use.
 * @throws PostgresLaunchError
 */
export async function openServer(options: {
  dataDir: string;
  log?: (message: string) => void;
}): Promise<Server> {
  const log = options.log ?? (() => undefined);
  const cluster = await prepareCluster(options.dataDir, persistentSettings, log);
  return useServer(cluster, 'persistent', log);
}
