import { distributeFirms } from '../app/placement.ts';
import { closeServices, createServices } from '../app/services.ts';
import { migrate } from '../platform/migrate.ts';
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
  const coordinator = new URL(coordinatorUrl);
  const workers = await clusterWorkers(coordinatorUrl);
  await dropDatabase(coordinatorUrl, TEMPLATE).catch(() => {});
  const url = await createDatabase(coordinatorUrl, TEMPLATE);
  for (const server of [coordinatorUrl, ...workers])
    await administer(databaseUrl(server, TEMPLATE), 'create extension citus');
  await administer(url, `select citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`);
  for (const worker of workers) {
    const { hostname, port } = new URL(worker);
    await administer(url, `select citus_add_node('${hostname}', ${port})`);
  }
  await migrateNew(url);
  await distributeFirms({ databaseUrl: url }, { shards: SHARDS, onProgress: () => {} });
  // Otherwise Citus's own sessions would prevent clones.
  await onEachServer(coordinatorUrl, `alter database "${TEMPLATE}" allow_connections false`);
  await onEachServer(
    coordinatorUrl,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${TEMPLATE}'`,
  );
}

async function migrateNew(url: string): Promise<void> {
  const services = await createServices({ databaseUrl: url, poolMax: 2 });
  await migrate(services);
  await closeServices(services);
}
