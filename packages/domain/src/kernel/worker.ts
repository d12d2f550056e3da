import { EventEmitter } from 'node:events';
import { Logger, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import type { JobHandler } from './jobs.ts';
import type { Log } from './log.ts';
import type { Services } from './services.ts';

/** Jobs at once in one process. */
const CONCURRENCY = 10;
/** How often each worker looks for dead ones. */
export const SWEEP_MS = 15_000;
/** With a pool's hash, names the session lock that a living worker holds. */
const ALIVE_LOCK = 4_001_735;

export interface Schedule {
  /** A handler's name. */
  job: string;
  /** As in crontab, in UTC. */
  cron: string;
}

export interface Worker {
  /** Lets running jobs finish; what does not in time is tried again by another worker. */
  stop(): Promise<void>;
}

/** Runs jobs until it is stopped. */
export async function startWorker(
  services: Services,
  handlers: JobHandler[],
  schedules: Schedule[],
  sweepMs = SWEEP_MS,
  concurrency = CONCURRENCY,
): Promise<Worker> {
  const { log, databaseUrl } = services;
  // Connections of its own: jobs must not starve calls of theirs, and the queue reads moments as Dates.
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONCURRENCY + 2,
    application_name: 'firmdesk worker',
    connectionTimeoutMillis: 5_000,
  });
  // The queue's own pool stops listening while its connections still close: a server that stops then, as the embedded
  // one does, would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', (error) => log.warn({ err: error }, 'worker connection lost'));
  const lifeline = new Lifeline(databaseUrl, log, sweepMs);
  const events = new EventEmitter() as WorkerEvents;
  events.on('pool:create', ({ workerPool }) => void lifeline.hold(workerPool.id));
  const runner = await run({
    pgPool: pool,
    events,
    concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger: loggerOf(log),
    taskList: tasksOf(services, handlers),
    parsedCronItems: parseCronItems(
      schedules.map(({ job, cron }) => ({ task: job, match: cron, options: { maxAttempts: 3 } })),
    ),
  });
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'the worker stopped'));
  return {
    async stop() {
      await runner.stop().catch((error: unknown) => log.warn({ err: error }, 'jobs were interrupted'));
      await lifeline.end();
      await pool.end();
    },
  };
}

function tasksOf(services: Services, handlers: JobHandler[]): TaskList {
  return Object.fromEntries(
    handlers.map(({ name, run }) => [
      name,
      async (payload, helpers) => {
        const started = performance.now();
        await run(services, payload, helpers.abortSignal);
        services.log.info({ job: name, ms: Math.round(performance.now() - started) }, 'job');
      },
    ]),
  );
}

/** Warnings and errors alone; never a payload. */
function loggerOf(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ source: 'graphile-worker' }, message);
    // Jobs hold none of the queue's connections while they run.
    if (level === 'warning' && !message.includes('maxPoolSize'))
      log.warn({ source: 'graphile-worker' }, message);
  });
}

/**
 * A killed worker leaves its jobs locked for four hours. Each worker therefore holds a session lock while it lives, which
 * dies with it; each looks every 15 s for jobs whose worker holds none, and frees those that it finds so twice.
 */
class Lifeline {
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
      await this.#sweep(await this.#connection());
    } catch (error) {
      this.#log.warn({ err: error }, 'the sweep for dead workers failed');
    }
    if (!this.#ended) this.#timer = setTimeout(() => void this.#beat(), this.#sweepMs);
  }

  async #connection(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client({ connectionString: this.#url, application_name: 'firmdesk worker alive' });
    const forget = () => {
      if (this.#client === client) this.#client = null;
    };
    client.on('error', forget);
    client.on('end', forget);
    await client.connect();
    await client.query('select pg_advisory_lock_shared($1, hashtext($2))', [ALIVE_LOCK, this.#poolId]);
    this.#client = client;
    return client;
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
