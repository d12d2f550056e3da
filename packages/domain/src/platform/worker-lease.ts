import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectionOptions } from './connection.ts';
import { delay } from './delay.ts';
import type { Log } from './log.ts';
import type { Services } from './services.ts';

export interface LeaseTimes {
  /** A worker that has not renewed its lease for so long, by the database's clock, is taken for dead. */
  leaseMs: number;
  renewMs: number;
}

/** With the time to find it out, a dead worker's jobs are another's within 25 s. */
export const LEASE: LeaseTimes = { leaseMs: 15_000, renewMs: 3_000 };

/** What the queue meets with, and logs for each job that it looks for, until it is started again. */
export const LEASE_LOST = 'This worker was taken for dead.';

type LeaseServices = Pick<Services, 'databaseUrl' | 'connections' | 'log'>;

const RECONNECT_MS = 1_000;
const ANSWER_MS = 5_000;
/** What sessions that are being ended may take to go, before the next renewal looks again. */
const SESSIONS_END_MS = 1_000;
const LOOK_MS = 50;

/**
 * A worker's right to its jobs: a row that it renews. Each worker also looks for leases that ran out. Such a worker is marked
 * as dead, then its server sessions are ended, then its jobs are freed; so a frozen one that wakes cannot write down how a job
 * came out. Its new sessions are refused, it notices, and starts anew with another lease.
 */
export class WorkerLease {
  readonly id = randomUUID();
  readonly #services: LeaseServices;
  readonly #times: LeaseTimes;
  readonly #lost = Promise.withResolvers<void>();
  #client: pg.Client | null = null;
  /** The queue's own name for this worker, by which it locks jobs. */
  #poolId: string | null = null;
  readonly #bound = Promise.withResolvers<void>();
  /** How long, by the database's clock, this worker has renewed its lease without a gap. */
  #steadyMs = 0;
  #isOver = false;
  #wake = new AbortController();
  #keeping = Promise.resolve();

  private constructor(services: LeaseServices, times: LeaseTimes) {
    this.#services = services;
    this.#times = times;
  }

  /** Takes a lease. Rejects when the database is away. */
  static async take(services: LeaseServices, times: LeaseTimes): Promise<WorkerLease> {
    const lease = new WorkerLease(services, times);
    lease.#client = await lease.#connect();
    await lease.#client.query('insert into workers (id, renewed_at) values ($1, clock_timestamp())', [
      lease.id,
    ]);
    lease.#keeping = lease.#keep();
    return lease;
  }

  /** Resolves when this worker was taken for dead. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** The options of the worker's own connections: by their name they are found when its lease has run out. */
  get connectionOptions(): pg.ClientConfig {
    return connectionOptions({ name: `worker ${this.id}`, connectTimeoutMs: 30_000 });
  }

  /** Refuses a new session of a worker that was taken for dead. */
  async ensureHeld(client: pg.ClientBase): Promise<void> {
    const { rowCount } = await client.query('select from workers where id = $1 and not is_dead', [this.id]);
    if (rowCount === 0) throw new Error(LEASE_LOST);
  }

  /** Resolves when the queue's name for this worker is stored: before it takes a first job. */
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

  /** Returns false when the database is away. */
  async #renew(): Promise<boolean> {
    const poolId = this.#poolId;
    try {
      this.#client ??= await this.#connect();
      const sinceMs = await this.#extend(this.#client, poolId);
      if (sinceMs === null) {
        this.#services.log.warn({ worker: this.id }, 'this worker was taken for dead');
        this.#isOver = true;
        this.#lost.resolve();
        return false;
      }
      if (poolId !== null) this.#bound.resolve();
      const { leaseMs } = this.#times;
      // After a gap every lease may have run out, since nobody could renew one.
      this.#steadyMs = sinceMs > leaseMs / 2 ? 0 : this.#steadyMs + sinceMs;
      if (this.#steadyMs >= leaseMs) await this.#endOthers(this.#client);
      return true;
    } catch (error) {
      this.#services.log.warn({ err: error }, 'the worker cannot renew its lease');
      this.#drop();
      return false;
    }
  }

  #drop(): void {
    this.#client?.end().catch(() => {});
    this.#client = null;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#services.databaseUrl,
      ...connectionOptions({ name: `lease ${this.id}` }),
      query_timeout: ANSWER_MS,
    });
    client.on('error', () => this.#client === client && this.#drop());
    await client.connect();
    this.#services.connections.add(client);
    return client;
  }

  /** Returns how long ago the lease was last renewed; null when the worker was taken for dead. */
  async #extend(client: pg.Client, poolId: string | null): Promise<number | null> {
    const { rows } = await client.query<{ since_ms: string }>(
      `with before as (select renewed_at from workers where id = $1)
       update workers set renewed_at = clock_timestamp(), pool_id = $2 from before where id = $1 and not is_dead
       returning extract(epoch from workers.renewed_at - before.renewed_at) * 1000 as since_ms`,
      [this.id, poolId],
    );
    return rows[0] ? Number(rows[0].since_ms) : null;
  }

  async #endOthers(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ id: string }>(
      `with dead as (
         update workers set is_dead = true
         where not is_dead and renewed_at < clock_timestamp() - $1 * interval '1 millisecond')
       select id from workers where is_dead or renewed_at < clock_timestamp() - $1 * interval '1 millisecond'`,
      [this.#times.leaseMs],
    );
    for (const { id } of rows) {
      if (await reapWorker(client, id, this.#services.log))
        this.#services.log.warn({ worker: id }, 'freed the jobs of a dead worker');
    }
  }

  /**
   * Gives the lease back, and frees the worker's jobs. While the database is away it is tried again, until the signal: then
   * another worker does it, once the lease has run out.
   */
  async end(hurry: AbortSignal): Promise<void> {
    this.#isOver = true;
    this.#wake.abort();
    await this.#keeping;
    while (!(await this.#release()) && !hurry.aborted) await delay(RECONNECT_MS, hurry);
    await this.#client?.end().catch(() => {});
  }

  async #release(): Promise<boolean> {
    try {
      this.#client ??= await this.#connect();
      await this.#client.query('update workers set is_dead = true where id = $1', [this.id]);
      return await reapWorker(this.#client, this.id, this.#services.log);
    } catch {
      this.#drop();
      return false;
    }
  }
}

/**
 * Ends the sessions of a worker that is marked as dead, then frees its jobs and deletes its row. Returns false when a session
 * is still there: it could still complete a job that another worker would have by then.
 */
async function reapWorker(client: pg.Client, id: string, log: Log): Promise<boolean> {
  const until = performance.now() + SESSIONS_END_MS;
  for (;;) {
    const { rows } = await client.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
       where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
         and application_name in ('firmdesk worker ' || $1, 'firmdesk lease ' || $1)`,
      [id],
    );
    if (rows.length === 0) break;
    if (performance.now() > until) {
      log.warn({ worker: id, sessions: rows.length }, 'the sessions of a dead worker do not end');
      return false;
    }
    await delay(LOOK_MS);
  }
  await client.query(
    `with gone as (delete from workers where id = $1 returning pool_id)
     select graphile_worker.force_unlock_workers(array[pool_id]) from gone where pool_id is not null`,
    [id],
  );
  return true;
}
