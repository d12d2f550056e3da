import { createClient } from './connection.ts';
import { whenFree } from './connection-slots.ts';

/** How many connections a process opens at most, by purpose. The sum is its limit. */
export interface PoolSizes {
  /** Calls, and the statements of jobs. */
  main: number;
  /** Searches; 0: they use `main`. */
  search: number;
  /** Metrics; 0: they use `main`. */
  metrics: number;
  /** The queue of the assistant's jobs, and the queue of all others. Both are 0 in a process that runs no jobs. */
  replyQueue: number;
  jobQueue: number;
}

/** Two statements of one call can need two connections. */
const MIN_MAIN = 2;
/** A queue listens on one connection. */
const MIN_QUEUE = 2;
const MOST: Omit<PoolSizes, 'main'> = { search: 4, metrics: 1, replyQueue: 6, jobQueue: 12 };

/** The fewest connections with which a process works. */
export const FEWEST_CONNECTIONS = {
  /** Besides `main`: the heartbeat with the readiness probe, and the signals. */
  withoutJobs: MIN_MAIN + 2,
  /** The two queues share the connection of their leases. */
  withJobs: MIN_MAIN + 2 + 1 + 2 * MIN_QUEUE,
};

/** The pools of a process without a limit. */
export const LARGEST_POOLS: PoolSizes = { main: 10, ...MOST };

/** The processes for which the connections of a server suffice by default. */
const PROCESSES = 6;
/** The default for a server with many connections. */
const MOST_BY_DEFAULT = 40;

/** How long a start waits for a free connection. */
const START_MS = 30_000;

const SERVER_LIMIT = `
  select least(
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0),
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as server_limit`;

/** Returns how many connections a process opens besides those of the pools: heartbeat, signals, leases. */
function fixedConnections(poolSizes: PoolSizes): number {
  return poolSizes.jobQueue > 0 ? 3 : 2;
}

/** Returns how many connections a process with these pools opens at most. */
export function sumOfPools(poolSizes: PoolSizes): number {
  const { main, search, metrics, replyQueue, jobQueue } = poolSizes;
  return main + search + metrics + replyQueue + jobQueue + fixedConnections(poolSizes);
}

/** Divides the connections of a process among its pools. `max` is at least the fewest of {@link FEWEST_CONNECTIONS}. */
export function divideConnections(max: number, runsJobs: boolean): PoolSizes {
  const spare = max - (runsJobs ? FEWEST_CONNECTIONS.withJobs : FEWEST_CONNECTIONS.withoutJobs);
  const share = (part: number, most: number) => Math.min(Math.floor(spare * part), most);
  const poolSizes: PoolSizes = {
    main: 0,
    search: share(0.2, MOST.search),
    metrics: share(0.5, MOST.metrics),
    replyQueue: runsJobs ? MIN_QUEUE + share(0.15, MOST.replyQueue - MIN_QUEUE) : 0,
    jobQueue: runsJobs ? MIN_QUEUE + share(0.25, MOST.jobQueue - MIN_QUEUE) : 0,
  };
  return { ...poolSizes, main: max - sumOfPools(poolSizes) };
}

/** Returns the default limit of a process: a sixth of the connections that the server allows. */
export function defaultConnections(serverLimit: number, fewest: number): number {
  return Math.max(fewest, Math.min(Math.floor(serverLimit / PROCESSES), MOST_BY_DEFAULT));
}

/** Returns how many connections the server allows for this account and database, without those reserved for administrators. */
export async function readServerLimit(databaseUrl: string): Promise<number> {
  const client = await whenFree(() => createClient(databaseUrl, { name: 'limits' }).connect(), START_MS);
  try {
    const { rows } = await client.query<{ server_limit: number }>(SERVER_LIMIT);
    return rows[0]!.server_limit;
  } finally {
    await client.end();
  }
}
