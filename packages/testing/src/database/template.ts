import { closeServices, createServices, distributeFirms, migrate } from '@firmdesk/domain';
import {
  administer,
  clusterWorkers,
  createDatabase,
  databaseUrl,
  dropDatabase,
  onEachServer,
  TEMPLATE,
} from './database.ts';

/** Creates the migrated database of a server that test files clone. */
export async function createTemplate(serverUrl: string): Promise<void> {
  await dropDatabase(serverUrl, TEMPLATE);
  await migrateNew(await createDatabase(serverUrl, TEMPLATE));
}

/** Few, so that a database is created quickly; more than servers, so that each has several. */
const SHARDS = 4;

/**
 * Creates the migrated and distributed database of a Citus cluster that test files clone. Citus stores the addresses of all servers in each
 * database, so clones of the database on each server are a distributed database again.
 */
export async function createDistributedTemplate(coordinatorUrl: string): Promise<void> {
  for (const server of [coordinatorUrl, ...(await clusterWorkers(coordinatorUrl))]) await allowMoves(server);
  await dropDatabase(coordinatorUrl, TEMPLATE);
  const url = await createClusterDatabase(coordinatorUrl, TEMPLATE);
  await migrateNew(url);
  await distributeFirms({ databaseUrl: url }, { shards: SHARDS, onProgress: () => {} });
  // Otherwise Citus's own sessions would prevent clones.
  await onEachServer(coordinatorUrl, `alter database "${TEMPLATE}" allow_connections false`);
  await onEachServer(
    coordinatorUrl,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${TEMPLATE}'`,
  );
}

/** Creates an empty database on each server of a cluster, with the extension and the addresses of the servers; returns its URL. */
export async function createClusterDatabase(coordinatorUrl: string, name: string): Promise<string> {
  const workers = await clusterWorkers(coordinatorUrl);
  const url = await createDatabase(coordinatorUrl, name);
  for (const server of [coordinatorUrl, ...workers])
    await administer(databaseUrl(server, name), 'create extension citus');
  const { hostname, port } = new URL(coordinatorUrl);
  await administer(url, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workers.map((each) => new URL(each)))
    await administer(url, `select citus_add_node('${worker.hostname}', ${worker.port})`);
  return url;
}

/** Lets Citus move shards without stopping writes: newer minor versions of PostgreSQL list the libraries that may decode the log. */
async function allowMoves(serverUrl: string): Promise<void> {
  const { rows } = await administer(
    serverUrl,
    `select setting from pg_settings where name = 'output_plugin_libraries' and setting !~ 'citus'`,
  );
  if (rows.length === 0) return;
  await administer(serverUrl, `alter system set output_plugin_libraries = ${rows[0].setting}, citus`);
  await administer(serverUrl, 'select pg_reload_conf()');
}

async function migrateNew(url: string): Promise<void> {
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 2 } });
  await migrate(services);
  await closeServices(services);
}
