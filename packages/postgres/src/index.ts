import { lasting, prepareCluster } from './cluster.ts';
import { type Server, useServer } from './server.ts';

export { PostgresLaunchError } from './launch-error.ts';
export type { Server } from './server.ts';
export { openTemporaryServer } from './temporary.ts';

/**
 * Opens the PostgreSQL server of a data directory, which all processes with this directory share. Finds it running, or starts
 * it; on first use, creates the database.
 * @throws PostgresLaunchError
 */
export async function openServer(options: {
  dataDir: string;
  log?: (message: string) => void;
}): Promise<Server> {
  const log = options.log ?? (() => undefined);
  const cluster = await prepareCluster(options.dataDir, lasting, log);
  return useServer(cluster, 'fast', log);
}
