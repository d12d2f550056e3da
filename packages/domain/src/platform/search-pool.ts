import pg from 'pg';
import { connectionOptions } from './connection.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import type { Log } from './log.ts';
import { wireTypes } from './wire-types.ts';

/** A statement of a search may take this long; a list without `q` is never near it. */
export const SEARCH_TIMEOUT_MS = 5_000;
/** Searches at a time in one process. */
export const SEARCH_CONNECTIONS = 4;
/** For a search that waits for its turn. */
const TURN_TIMEOUT_MS = 5_000;

/**
 * Connections for searches alone, which read and are cut off early: however many there are and however long they take,
 * other calls find theirs free.
 */
export function createSearchPool(databaseUrl: string, connections: ConnectionWatch, log: Log): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: SEARCH_CONNECTIONS,
    ...connectionOptions({
      name: 'search',
      statementTimeoutMs: SEARCH_TIMEOUT_MS,
      connectTimeoutMs: TURN_TIMEOUT_MS,
      isReadOnly: true,
    }),
    types: wireTypes,
  });
  // A connection that rests and is ended by the server; the next search opens another.
  pool.on('error', (error) => log.warn({ err: error }, 'a search connection was lost'));
  connections.addPool(pool);
  return pool;
}
