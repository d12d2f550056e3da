import { randomUUID } from 'node:crypto';
import pg from 'pg';

const OBJECT_IN_USE = '55006';

/** The name of the migrated database that test files clone. */
export const TEMPLATE = 'firmdesk_template';

/** Returns the URL of a database of the server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates a database, empty or as a clone of a template; returns its URL. */
export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  await onEachServer(serverUrl, `create database "${name}"${template ? ` template "${template}"` : ''}`);
  return databaseUrl(serverUrl, name);
}

/** Drops the database if it exists, and ends its connections. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (const url of [serverUrl, ...(await clusterWorkers(serverUrl))]) {
    for (let attempt = 1; ; attempt++) {
      try {
        await administer(url, `drop database if exists "${name}" with (force)`);
        break;
      } catch (error) {
        // Citus's own sessions come back, sometimes between the end of the sessions and the drop.
        if ((error as pg.DatabaseError).code !== OBJECT_IN_USE || attempt === 10) throw error;
      }
    }
  }
}

/** Returns how many statements of a database wait for a lock, on all servers of a cluster. */
export async function countLockWaiters(url: string): Promise<number> {
  let waiters = 0;
  for (const server of [url, ...(await clusterWorkers(url))]) {
    const { rows } = await administer(
      server,
      `select count(*)::integer as waiters from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    waiters += rows[0].waiters;
  }
  return waiters;
}

/** Runs a statement on a server and, if it is the coordinator of a Citus cluster, on the other servers of the cluster. */
export async function onEachServer(serverUrl: string, statement: string): Promise<void> {
  for (const url of [serverUrl, ...(await clusterWorkers(serverUrl))]) await administer(url, statement);
}

const workersOf = new Map<string, Promise<string[]>>();

/** Returns the URLs of the other servers of a coordinator's cluster; none for any other server. */
export function clusterWorkers(serverUrl: string): Promise<string[]> {
  const known = workersOf.get(serverUrl) ?? findWorkers(serverUrl);
  workersOf.set(serverUrl, known);
  return known;
}

async function findWorkers(serverUrl: string): Promise<string[]> {
  const { rows } = await administer(
    serverUrl,
    `select to_regclass('pg_dist_node') is not null as is_cluster`,
  );
  if (!rows[0].is_cluster) return [];
  const found = await administer(
    serverUrl,
    `select nodename || ':' || nodeport as address from pg_dist_node where groupid <> 0 order by nodeid`,
  );
  return found.rows.map(({ address }) => Object.assign(new URL(serverUrl), { host: address }).href);
}

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/** Creates a migrated database, dropped on disposal. */
export async function cloneDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await createDatabase(serverUrl, name, TEMPLATE);
  return {
    url,
    [Symbol.asyncDispose]: () => dropDatabase(serverUrl, name),
  };
}

/** Runs a statement on a server, also if it is set to refuse writes. */
export async function administer(serverUrl: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({
    connectionString: serverUrl,
    options: '-c default_transaction_read_only=off',
  });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
