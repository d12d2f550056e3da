import type pg from 'pg';
import { createPool, type DatabasePool } from '../../connections/connection.ts';
import type { ConnectionWatch } from '../../connections/connection-watch.ts';
import { delay } from '../../process/delay.ts';
import type { Log } from '../../process/log.ts';
import { isUnavailable, sqlState } from '../database-errors.ts';
import { wireTypes } from '../wire-types.ts';
import { SEARCH_TIMEOUT_MS } from './search-pool.ts';

/** A read waits this long for the replica to replay what was committed before the read began. */
export const REPLICA_LAG_MS = 100;
const REPLICA_CONNECTIONS = 8;
const POLL_MS = 5;
/** How long reads avoid a replica that was behind, or did not answer. */
const REST_MS = 1_000;
const CONNECT_MS = 1_000;
const QUERY_CANCELED = '57014';

/** A position in the log of a server. After a failover the log continues on another timeline, and positions of two are not comparable. */
interface LogEnd {
  lsn: string;
  timeline: number;
}

const TIMELINE = `('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer`;
const END_OF_LOG = `select pg_current_wal_insert_lsn()::text as lsn, ${TIMELINE} as timeline`;
/**
 * A replica that has got more from the former primary than the new one cannot follow it, and keeps its timeline. One that follows it says so
 * after its next restart point, some minutes after the failover. A server that is not in recovery is the primary itself, or was promoted.
 */
const IS_CURRENT = `
  select case when pg_is_in_recovery() then (select timeline_id from pg_control_checkpoint()) else ${TIMELINE} end as timeline,
    not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as is_current`;

/**
 * A streaming replica for searches and lists. A read uses it only if it has everything that was committed before the read began, so that no
 * client misses what it has written or read before, through any process.
 */
export class Replica {
  readonly pool: DatabasePool;
  readonly #primary: pg.Pool;
  readonly #log: Log;
  /** The end of the primary's log, asked for by the reads that wait for it together. */
  #asked: Promise<LogEnd> | null = null;
  #restsUntil = 0;

  constructor(replicaUrl: string, primary: pg.Pool, connections: ConnectionWatch, log: Log) {
    this.#primary = primary;
    this.#log = log;
    this.pool = createPool(
      replicaUrl,
      {
        name: 'replica',
        statementTimeoutMs: SEARCH_TIMEOUT_MS,
        connectTimeoutMs: CONNECT_MS,
        isReadOnly: true,
        targetSession: 'any',
      },
      { max: REPLICA_CONNECTIONS, types: wireTypes },
    );
    this.pool.on('error', (error) => log.warn({ err: error }, 'a connection to the replica was lost'));
    connections.addPool(this.pool);
  }

  /** Runs a read outside of any transaction: on the replica, or on the other pool if the replica is behind or fails. It may run twice. */
  async read<T>(read: (pool: pg.Pool) => Promise<T>, otherwise: pg.Pool): Promise<T> {
    if (!(await this.#isCurrent())) return read(otherwise);
    try {
      return await read(this.pool);
    } catch (error) {
      // The primary would exceed the limit too.
      if (!isUnavailable(error) || sqlState(error) === QUERY_CANCELED) throw error;
      this.#rest('the replica failed', error);
      return read(otherwise);
    }
  }

  async #isCurrent(): Promise<boolean> {
    if (performance.now() < this.#restsUntil) return false;
    try {
      const end = await this.#endOfLog();
      const deadline = performance.now() + REPLICA_LAG_MS;
      for (;;) {
        const { rows } = await this.pool.query<{ timeline: number; is_current: boolean }>({
          name: 'replica-is-current',
          text: IS_CURRENT,
          values: [end.lsn],
        });
        const { timeline, is_current } = rows[0]!;
        if (timeline !== end.timeline) {
          this.#rest('the replica does not follow the primary');
          return false;
        }
        if (is_current) return true;
        if (performance.now() > deadline) break;
        await delay(POLL_MS);
      }
      this.#rest(`the replica is more than ${REPLICA_LAG_MS} ms behind`);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#rest('the replica does not answer', error);
    }
    return false;
  }

  /** Returns the end of the primary's log. Reads that arrive before the statement is sent share it. */
  #endOfLog(): Promise<LogEnd> {
    this.#asked ??= (async () => {
      await delay(0);
      this.#asked = null;
      const { rows } = await this.#primary.query<LogEnd>({ name: 'end-of-log', text: END_OF_LOG });
      return rows[0]!;
    })();
    return this.#asked;
  }

  #rest(message: string, error?: unknown): void {
    this.#restsUntil = performance.now() + REST_MS;
    this.#log.warn({ ...(error !== undefined && { err: error }) }, `${message}; reads use the primary`);
  }
}

/** The reads of a process without a replica. */
export const noReplica: Pick<Replica, 'read'> & { pool: null } = {
  pool: null,
  read: (read, otherwise) => read(otherwise),
};
