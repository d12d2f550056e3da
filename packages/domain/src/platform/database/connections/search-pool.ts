import { createPool, type DatabasePool } from '../../connections/connection.ts';
import type { ConnectionWatch } from '../../connections/connection-watch.ts';
import type { Log } from '../../process/log.ts';
import { wireTypes } from '../wire-types.ts';

/** The time limit of a search statement. A list without `q` takes far less. */
export const SEARCH_TIMEOUT_MS = 5_000;
/** Concurrent searches of one process. */
export const CONCURRENT_SEARCHES = 4;
/** How long a search waits for a connection. */
const QUEUE_TIMEOUT_MS = 5_000;

/** Creates a pool for searches: few read-only connections with a short time limit, so that searches never block other calls. */
export function createSearchPool(
  databaseUrl: string,
  max: number,
  connections: ConnectionWatch,
  log: Log,
): DatabasePool {
  const use = {
    name: 'search',
    statementTimeoutMs: SEARCH_TIMEOUT_MS,
    connectTimeoutMs: QUEUE_TIMEOUT_MS,
    isReadOnly: true,
    // A statement takes milliseconds: compiling it, starting parallel workers or writing to disk would take longer.
    settings: { jit: 'off', max_parallel_workers_per_gather: 0, work_mem: '16MB' },
  };
  const pool = createPool(databaseUrl, use, { max, types: wireTypes });
  // An idle connection was lost; the next search opens another.
  pool.on('error', (error) => log.warn({ err: error }, 'a search connection was lost'));
  connections.addPool(pool);
  return pool;
}
