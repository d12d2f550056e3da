import pg from 'pg';
import { connectionOptions } from './connection.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import type { Log } from './log.ts';
import { wireTypes } from './wire-types.ts';

/** A probe waits a few seconds for its answer: what takes longer is a database that does not answer. */
const TIMEOUT_MS = 2_000;
/** Longer than the time between two probes, so that each finds its connection open. */
const IDLE_MS = 120_000;

/**
 * One connection that is kept for a probe of this process, which reads: the probe is answered also while calls use every
 * other connection, and fails within seconds when the database does not answer. Opens nothing until its first query.
 */
export function createStatusPool(
  databaseUrl: string,
  name: string,
  connections: ConnectionWatch,
  log: Log,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 1,
    idleTimeoutMillis: IDLE_MS,
    ...connectionOptions({
      name,
      statementTimeoutMs: TIMEOUT_MS,
      connectTimeoutMs: TIMEOUT_MS,
      isReadOnly: true,
    }),
    // Also where nobody answers at all.
    query_timeout: TIMEOUT_MS,
    types: wireTypes,
  });
  pool.on('error', (error) => log.warn({ err: error }, `the ${name} connection was lost`));
  connections.addPool(pool);
  return pool;
}
