import pg from 'pg';
import type { Log } from './log.ts';

/** With a pool's hash, names the session lock that a living worker holds. */
const ALIVE_LOCK = 4_001_735;
/** A lost lock is taken again this soon, lest the others take this worker for dead. */
const RETRY_MS = 1_000;
/** What a server may take to answer; frozen ones never do. */
const TIMEOUT_MS = 5_000;

/**
 * A killed worker leaves its jobs locked for four hours. Each worker therefore holds a session lock while it lives, which
 * dies with it; each looks now and then for jobs whose worker holds none, and frees those that it finds so twice.
 */
export class Lifeline {
  readonly #url: string;
  readonly #log: Log;
  readonly #sweepMs: number;
  #poolId: string | null = null;
  #client: pg.Client | null = null;
  #suspects = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #ended = false;

  constructor(url: string, log: Log, sweepMs: number) {
    this.#url = url;
    this.#log = log;
    this.#sweepMs = sweepMs;
  }

  async hold(poolId: string): Promise<void> {
    this.#poolId = poolId;
    await this.#beat();
  }

  async #beat(): Promise<void> {
    if (this.#ended) return;
    try {
      this.#client ??= await this.#connect();
      await this.#sweep(this.#client);
      this.#beatIn(this.#sweepMs);
    } catch (error) {
      this.#log.warn({ err: error }, 'the sweep for dead workers failed');
      // A server that does not answer may have let the lock go.
      this.#drop();
    }
  }

  #beatIn(milliseconds: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (!this.#ended) this.#timer = setTimeout(() => void this.#beat(), milliseconds);
  }

  #drop(): void {
    this.#client?.end().catch(() => {});
    this.#client = null;
    this.#beatIn(RETRY_MS);
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'firmdesk worker alive',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    const lost = () => {
      if (this.#client === client) this.#drop();
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.connect();
      await client.query('select pg_advisory_lock_shared($1, hashtext($2))', [ALIVE_LOCK, this.#poolId]);
      return client;
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  }

  async #sweep(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ id: string }>(
      `with lockers as (
         select locked_by as id from graphile_worker._private_jobs where locked_by is not null
         union select locked_by from graphile_worker._private_job_queues where locked_by is not null)
       select id from lockers where not exists (
         select from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and d.datname = current_database()
           and l.classid = $1::int::oid and l.objid = hashtext(lockers.id)::oid)`,
      [ALIVE_LOCK],
    );
    const dead = rows.map(({ id }) => id).filter((id) => this.#suspects.has(id));
    this.#suspects = new Set(rows.map(({ id }) => id));
    if (dead.length === 0) return;
    await client.query('select graphile_worker.force_unlock_workers($1)', [dead]);
    this.#log.warn({ workers: dead.length }, 'freed the jobs of dead workers');
  }

  async end(): Promise<void> {
    this.#ended = true;
    if (this.#timer) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }
}
