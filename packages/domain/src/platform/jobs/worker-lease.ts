import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type ConnectionUse, createPool, type DatabasePool } from '../connections/connection.ts';
import { delay } from '../process/delay.ts';
import type { Log } from '../process/log.ts';
import type { Services } from '../services.ts';

export interface LeaseTimes {
  /** A worker whose last renewal is older than this, by the database's clock, is considered dead. */
  leaseMs: number;
  renewMs: number;
}

/** With these times, another worker gets a dead worker's jobs within 25 s. */
export const LEASE: LeaseTimes = { leaseMs: 15_000, renewMs: 3_000 };

/** The error on new connections of a worker that lost its lease. The queue logs it until the worker is restarted. */
export const LEASE_LOST = 'This worker has lost its lease.';

type LeaseServices = Pick<Services, 'databaseUrl' | 'connections' | 'log'>;

/** Creates the pool of the leases of one process: one connection, which its workers share and jobs cannot occupy. */
export function createLeasePool({ databaseUrl, connections, log }: LeaseServices): DatabasePool {
  const pool = createPool(databaseUrl, { name: 'lease' }, { max: 1, query_timeout: ANSWER_MS });
  pool.on('error', (error) => log.warn({ err: error }, 'the connection of the leases was lost'));
  connections.addPool(pool);
  return pool;
}

const RECONNECT_MS = 1_000;
const ANSWER_MS = 5_000;
/** How long to wait for terminated sessions to end before the next renewal retries. */
const SESSIONS_END_MS = 1_000;
const POLL_MS = 50;

interface Renewal {
  /** The time since the last renewal. */
  since_ms: string;
  /** Whether another worker's lease has expired. */
  finds_dead: boolean;
}

const RENEW = {
  name: 'renew-worker-lease',
  text: `
    with before as (select renewed_at from workers where id = $1)
    update workers set renewed_at = clock_timestamp(), pool_id = $2 from before where id = $1 and not is_dead
    returning extract(epoch from workers.renewed_at - before.renewed_at) * 1000 as since_ms,
      exists (
        select from workers other where other.id <> $1
          and (other.is_dead or other.renewed_at < clock_timestamp() - $3 * interval '1 millisecond')) as finds_dead`,
};

/**
 * A worker's lease on its jobs: a row that it renews. Each worker also looks for expired leases: it marks the worker as dead,
 * terminates its server sessions, then unlocks its jobs. A frozen worker that resumes therefore cannot record the result of a
 * job. Its new sessions are refused, so it notices, and restarts with another lease.
 */
export class WorkerLease {
  readonly id = randomUUID();
  readonly #log: Log;
  readonly #pool: pg.Pool;
  readonly #times: LeaseTimes;
  readonly #lost = Promise.withResolvers<void>();
  /** The name under which the queue locks this worker's jobs. */
  #poolId: string | null = null;
  readonly #bound = Promise.withResolvers<void>();
  /** For how long this worker has renewed its lease without a gap, by the database's clock. */
  #steadyMs = 0;
  #isOver = false;
  #wake = new AbortController();
  #keeping = Promise.resolve();

  private constructor(log: Log, pool: pg.Pool, times: LeaseTimes) {
    this.#log = log;
    this.#pool = pool;
    this.#times = times;
  }

  /** Takes a lease. Rejects if the database is unavailable. */
  static async take(log: Log, pool: pg.Pool, times: LeaseTimes): Promise<WorkerLease> {
    const lease = new WorkerLease(log, pool, times);
    await pool.query('insert into workers (id, renewed_at) values ($1, clock_timestamp())', [lease.id]);
    lease.#keeping = lease.#keep();
    return lease;
  }

  /** Resolves when this worker has lost its lease. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** The use of the worker's connections. Its name identifies them when the lease has expired. */
  get connectionUse(): ConnectionUse {
    return { name: `worker ${this.id}`, connectTimeoutMs: 30_000 };
  }

  /** Rejects a new session if the worker has lost its lease. */
  async ensureHeld(client: pg.ClientBase): Promise<void> {
    const { rowCount } = await client.query('select from workers where id = $1 and not is_dead', [this.id]);
    if (rowCount === 0) throw new Error(LEASE_LOST);
  }

  /** Stores the queue's name for this worker. Resolves when it is stored, before the worker takes its first job. */
  bind(poolId: string): Promise<void> {
    this.#poolId = poolId;
    this.#wake.abort();
    return this.#bound.promise;
  }

  async #keep(): Promise<void> {
    const { renewMs } = this.#times;
    while (!this.#isOver) {
      this.#wake = new AbortController();
      const isRenewed = await this.#renew();
      if (!this.#isOver)
        await delay(isRenewed ? renewMs : Math.min(RECONNECT_MS, renewMs), this.#wake.signal);
    }
    this.#bound.resolve();
  }

  /** Returns false if the lease is lost or the database is unavailable. */
  async #renew(): Promise<boolean> {
    const poolId = this.#poolId;
    try {
      const renewal = await this.#extend(poolId);
      if (!renewal) {
        this.#log.warn({ worker: this.id }, 'this worker has lost its lease');
        this.#isOver = true;
        this.#lost.resolve();
        return false;
      }
      if (poolId !== null) this.#bound.resolve();
      const { leaseMs } = this.#times;
      const sinceMs = Number(renewal.since_ms);
      // After an outage of the database all leases may have expired.
      this.#steadyMs = sinceMs > leaseMs / 2 ? 0 : this.#steadyMs + sinceMs;
      if (renewal.finds_dead && this.#steadyMs >= leaseMs) await this.#reapDeadWorkers();
      return true;
    } catch (error) {
      this.#log.warn({ err: error }, 'the worker cannot renew its lease');
      return false;
    }
  }

  /** Renews the lease, and looks for workers whose lease has expired. Returns undefined when the own lease is lost. */
  async #extend(poolId: string | null): Promise<Renewal | undefined> {
    const { rows } = await this.#pool.query<Renewal>({
      ...RENEW,
      values: [this.id, poolId, this.#times.leaseMs],
    });
    return rows[0];
  }

  async #reapDeadWorkers(): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `with dead as (
         update workers set is_dead = true
         where not is_dead and renewed_at < clock_timestamp() - $1 * interval '1 millisecond')
       select id from workers where is_dead or renewed_at < clock_timestamp() - $1 * interval '1 millisecond'`,
      [this.#times.leaseMs],
    );
    for (const { id } of rows) {
      if (await reapWorker(this.#pool, id, this.#log))
        this.#log.warn({ worker: id }, 'unlocked the jobs of a dead worker');
    }
  }

  /**
   * Releases the lease and unlocks the worker's jobs. Retries while the database is unavailable, until the signal aborts; then
   * another worker does it when the lease has expired.
   */
  async end(giveUp: AbortSignal): Promise<void> {
    this.#isOver = true;
    this.#wake.abort();
    await this.#keeping;
    while (!(await this.#release()) && !giveUp.aborted) await delay(RECONNECT_MS, giveUp);
  }

  async #release(): Promise<boolean> {
    try {
      await this.#pool.query('update workers set is_dead = true where id = $1', [this.id]);
      return await reapWorker(this.#pool, this.id, this.#log);
    } catch {
      return false;
    }
  }
}

/**
 * Terminates the sessions of a worker that is marked as dead, then unlocks its jobs and deletes its row. Returns false when a
 * session remains: it could still complete a job that another worker has got meanwhile.
 */
async function reapWorker(pool: pg.Pool, id: string, log: Log): Promise<boolean> {
  const deadline = performance.now() + SESSIONS_END_MS;
  for (;;) {
    const { rows } = await pool.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
       where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
         and substring(application_name from ' (worker|lease) ') is not null and right(application_name, 36) = $1`,
      [id],
    );
    if (rows.length === 0) break;
    if (performance.now() > deadline) {
      log.warn({ worker: id, sessions: rows.length }, 'the sessions of a dead worker do not end');
      return false;
    }
    await delay(POLL_MS);
  }
  await pool.query(
    `with gone as (delete from workers where id = $1 returning pool_id)
     select graphile_worker.force_unlock_workers(array[pool_id]) from gone where pool_id is not null`,
    [id],
  );
  return true;
}
