import { EventEmitter, once } from 'node:events';
import { Logger, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { delay } from './delay.ts';
import type { JobHandler } from './jobs.ts';
import type { Log } from './log.ts';
import type { Services } from './services.ts';
import { LEASE, LEASE_LOST, type LeaseTimes, WorkerLease } from './worker-lease.ts';

/** Jobs at once in one process. */
const CONCURRENCY = 10;
/** After this the queue's runner is started again, when it has ended by itself. */
const RESTART_MS = 1_000;
/** What a runner may take to stop: it tells jobs to after 5 s. */
const STOP_MS = 8_000;

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

/** Runs jobs until it is stopped. Rejects when the database is away; one that goes away later is waited for. */
export async function startWorker(
  services: Services,
  handlers: JobHandler[],
  schedules: Schedule[],
  times: LeaseTimes = LEASE,
  concurrency = CONCURRENCY,
): Promise<Worker> {
  const { log } = services;
  const open = () => openRunner(services, handlers, schedules, times, concurrency);
  const stopping = new AbortController();
  const replace = async (): Promise<Runner | null> => {
    while (!stopping.signal.aborted) {
      log.error({}, 'the worker ended by itself, and is started again');
      await delay(RESTART_MS, stopping.signal);
      try {
        return await open();
      } catch (error) {
        log.warn({ err: error }, 'the worker cannot be started');
      }
    }
    return null;
  };
  const first = await open();
  const running = (async () => {
    const stopped = once(stopping.signal, 'abort');
    const ending: Promise<void>[] = [];
    for (let runner: Runner | null = first; runner; runner = await replace()) {
      await Promise.race([runner.ended, stopped]);
      // It may wait for what it cannot write down; the next one begins meanwhile.
      ending.push(runner.stop(stopping.signal));
    }
    await Promise.all(ending);
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

interface Runner {
  /** Resolves when it takes no more jobs, for whatever reason. */
  ended: Promise<unknown>;
  /** @param hurry given when the process ends: what can be left to other workers is left to them */
  stop(hurry: AbortSignal): Promise<void>;
}

/**
 * One run of the queue. It ends by itself when it cannot write down how a job came out (over a restart of the server, say),
 * and when it was taken for dead.
 */
async function openRunner(
  services: Services,
  handlers: JobHandler[],
  schedules: Schedule[],
  times: LeaseTimes,
  concurrency: number,
): Promise<Runner> {
  const { log } = services;
  const lease = await WorkerLease.take(services, times);
  const pool = openPool(services, lease);
  const close = async (hurry: AbortSignal) => {
    await Promise.race([pool.end(), delay(STOP_MS)]);
    await lease.end(hurry);
  };
  try {
    const events = new EventEmitter() as WorkerEvents;
    const runner = await run({
      pgPool: pool,
      events,
      concurrency,
      noHandleSignals: true,
      pollInterval: 2_000,
      preset: {
        // Written down in batches, for what fails otherwise is a rejection that nobody can handle and that ends the process.
        worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
        plugins: [bindingTo(lease)],
      },
      logger: loggerOf(log),
      taskList: tasksOf(services, handlers),
      parsedCronItems: parseCronItems(
        schedules.map(({ job, cron }) => ({ task: job, match: cron, options: { maxAttempts: 3 } })),
      ),
    });
    const failed = runner.promise.catch((error: unknown) => log.error({ err: error }, 'the worker stopped'));
    return {
      ended: Promise.race([once(events, 'pool:gracefulShutdown'), failed, lease.lost]),
      async stop(hurry) {
        // It may be stopping already, of itself; and then it may wait for ever for what it could not write down.
        const stopped = runner.stop().then(
          () => failed,
          () => failed,
        );
        await Promise.race([stopped, delay(STOP_MS)]);
        await close(hurry);
      },
    };
  } catch (error) {
    await close(AbortSignal.abort());
    throw error;
  }
}

/** Before the queue takes a first job, the lease knows by which name it will lock it. */
function bindingTo(lease: WorkerLease): GraphileConfig.Plugin {
  return {
    name: 'worker-lease',
    worker: { hooks: { startWorker: (_ctx, { worker }) => lease.bind(worker.workerPool.id) } },
  };
}

/** Connections of its own: jobs must not starve calls of theirs, and the queue reads moments as Dates. */
function openPool({ databaseUrl, connections, log }: Services, lease: WorkerLease): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONCURRENCY + 2,
    ...lease.connectionOptions,
    async onConnect(client) {
      connections.add(client);
      await lease.ensureHeld(client);
    },
  });
  // The queue's own pool stops listening while its connections still close: a server that stops then, as the embedded one
  // does, would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', (error) => log.warn({ err: error }, 'worker connection lost'));
  tolerateDoubleRelease(pool);
  return pool;
}

type OnConnected = Parameters<pg.Pool['connect']>[0];

/** The queue gives its listening connection back twice when that is lost while it stops: it would end the process. */
function tolerateDoubleRelease(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: OnConnected) => unknown;
  const releasingOnce = (callback: OnConnected): OnConnected => {
    let isReleased = false;
    return (error, client, release) =>
      callback(error, client, (reason) => {
        if (!isReleased) release(reason);
        isReleased = true;
      });
  };
  pool.connect = ((callback?: OnConnected) =>
    connect(callback && releasingOnce(callback))) as pg.Pool['connect'];
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
    if (message.includes(LEASE_LOST)) return;
    if (level === 'error') log.error({ source: 'graphile-worker' }, message);
    // Jobs hold none of the queue's connections while they run.
    if (level === 'warning' && !message.includes('maxPoolSize'))
      log.warn({ source: 'graphile-worker' }, message);
  });
}
