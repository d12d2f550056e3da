import { createPool, type DatabasePool } from '../../connections/connection.ts';
import type { Log } from '../../process/log.ts';
import { wireTypes } from '../wire-types.ts';

/** Shorter than the few seconds that a probe waits for its answer. */
const TIMEOUT_MS = 2_000;
/** Longer than the interval of probes, so that each finds an open connection. */
const IDLE_MS = 120_000;

/**
 * Creates a pool of one connection for a probe, which needs a server that accepts writes. The probe works while calls use all other connections, and fails within
 * seconds when the database does not answer. The first query connects.
 */
export function createStatusPool(
  databaseUrl: string,
  name: string,
  log: Log,
  connectTimeoutMs = TIMEOUT_MS,
): DatabasePool {
  const use = { name, statementTimeoutMs: TIMEOUT_MS, connectTimeoutMs };
  const pool = createPool(databaseUrl, use, {
    max: 1,
    idleTimeoutMillis: IDLE_MS,
    // A silent server does not enforce its limit, so the client has one too.
    query_timeout: TIMEOUT_MS,
    types: wireTypes,
  });
  pool.on('error', (error) => log.warn({ err: error }, `the ${name} connection was lost`));
  return pool;
}
