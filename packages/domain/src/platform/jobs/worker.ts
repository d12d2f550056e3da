import { EventEmitter, once } from 'node:events';
import { Logger, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { createPool } from '../connections/connection.ts';
import { delay } from '../process/delay.ts';
import type { Log } from '../process/log.ts';
import { withSpan } from '../process/trace.ts';
import type { Services } from '../services.ts';
import { DueJobs } from './due-jobs.ts';
import { JobForwarder } from './job-forwarder.ts';
import type { JobResult } from './job-metrics.ts';
import { type JobHandler, traceparentOf } from './jobs.ts';
import { LostJobs } from './lost-jobs.ts';
import { postponeIfSuspended } from './suspended-firms.ts';
import { createLeasePool, LEASE, LEASE_LOST, type LeaseTimes, WorkerLease } from './worker-lease.ts';

/** Concurrent jobs of one worker. */
const CONCURRENCY = 10;
/** A worker's own poll of the queue. Only a reserve: {@link DueJobs} wakes it. */
const POLL_MS = 60_000;
/** The jobs that a worker fetches at once. Those that it cannot start are returned after a moment, for other workers. */
const FETCH = { size: 10, ttl: 500 };
/** The delay before the queue's runner is restarted after it has ended by itself. */
const RESTART_MS = 1_000;
/** How long a runner may take to stop; it aborts its jobs after 5 s. */
const STOP_MS = 8_000;

export interface Schedule {
  /** A handler's name. */
  job: string;
  /** As in crontab, in UTC. */
  cron: string;
}

export interface Worker {
  /** Waits for running jobs. Another worker retries jobs that do not finish in time. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  times?: LeaseTimes;
  /** The jobs that run concurrently (10). */
  concurrency?: number;
  /** Whether it also moves requested jobs into the queue (true). One worker of a process is enough. */
  forwards?: boolean;
  /** The connections with which it fetches, completes and forwards jobs. By default those of the jobs. Jobs use those of the services. */
  connections?: number;
  /** The pool of the process's leases. By default one of its own. */
  leasePool?: pg.Pool;
  /** Wakes the workers of the process. By default one of its own. */
  dueJobs?: DueJobs;
}

/** Runs jobs until it is stopped. Rejects if the database is unavailable at the start; continues after later outages. */
export async function startWorker(
  services: Services,
  handlers: JobHandler[],
  schedules: Schedule[],
  options: WorkerOptions = {},
): Promise<Worker> {
  const { log } = services;
  const leasePool = options.leasePool ?? createLeasePool(services);
  const settings = {
    times: LEASE,
    concurrency: CONCURRENCY,
    forwards: true,
    connections: services.poolSizes.jobQueue,
    dueJobs: options.dueJobs ?? new DueJobs(leasePool, log),
    ...options,
    leasePool,
  };
  const open = () => openRunner(services, handlers, schedules, settings);
  const stopping = new AbortController();
  const replace = async (): Promise<Runner | null> => {
    while (!stopping.signal.aborted) {
      log.error({}, 'the worker ended by itself and is restarted');
      await delay(RESTART_MS, stopping.signal);
      try {
        return await open();
      } catch (error) {
        log.warn({ err: error }, 'the worker cannot be started');
      }
    }
    return null;
  };
  const closeLeases = async () => {
    if (!options.leasePool) await Promise.race([leasePool.end(), delay(STOP_MS)]);
  };
  const first = await open().catch(async (error: unknown) => {
    await closeLeases();
    throw error;
  });
  const running = (async () => {
    const stopped = once(stopping.signal, 'abort');
    const ending: Promise<void>[] = [];
    for (let runner: Runner | null = first; runner; runner = await replace()) {
      await Promise.race([runner.ended, stopped]);
      // It may wait for results that it cannot store; the next runner starts meanwhile.
      ending.push(runner.stop(stopping.signal));
    }
    await Promise.all(ending);
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
      await closeLeases();
    },
  };
}

interface Runner {
  /** Resolves when the runner takes no more jobs. */
  ended: Promise<unknown>;
  /** Stops the runner. After `giveUp` aborts, other workers do the rest. */
  stop(giveUp: AbortSignal): Promise<void>;
}

/**
 * Starts the queue's runner. It ends by itself when it cannot store the result of a job (for example during a restart of the
 * server), when it has lost its lease, and when jobs are locked for it that it did not receive.
 */
async function openRunner(
  services: Services,
  handlers: JobHandler[],
  schedules: Schedule[],
  { times, concurrency, forwards, connections, leasePool, dueJobs }: Required<WorkerOptions>,
): Promise<Runner> {
  const { log } = services;
  const lease = await WorkerLease.take(log, leasePool, times);
  const pool = openPool(services, lease, connections);
  const untilClosed = trackConnections(pool);
  const events = new EventEmitter() as WorkerEvents;
  const lostJobs = new LostJobs(leasePool, log, events, times.leaseMs);
  let stopWaking = () => {};
  const close = async (giveUp: AbortSignal) => {
    stopWaking();
    lostJobs.stop();
    await Promise.race([pool.end().then(untilClosed), delay(STOP_MS)]);
    await lease.end(giveUp);
  };
  try {
    events.on('pool:create', ({ workerPool }) => {
      stopWaking = dueJobs.on(() => workerPool.nudge(1));
    });
    const runner = await run({
      pgPool: pool,
      events,
      concurrency,
      noHandleSignals: true,
      pollInterval: POLL_MS,
      preset: {
        // Results are stored in batches. Otherwise a failure to store one is an unhandled rejection, which ends the process.
        // One fetch serves all concurrent jobs: otherwise each of them polls.
        worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, localQueue: FETCH },
        plugins: [leasePlugin(lease)],
      },
      logger: queueLogger(log),
      taskList: tasksOf(services, handlers),
      parsedCronItems: parseCronItems(
        schedules.map(({ job, cron }) => ({ task: job, match: cron, options: { maxAttempts: 3 } })),
      ),
    });
    const forwarder = forwards ? new JobForwarder(services, pool) : null;
    const failed = runner.promise.catch((error: unknown) => log.error({ err: error }, 'the worker stopped'));
    return {
      ended: Promise.race([once(events, 'pool:gracefulShutdown'), failed, lease.lost, lostJobs.found]),
      async stop(giveUp) {
        stopWaking();
        // It may already be stopping, and hang on an unsaved result.
        const stopped = runner.stop().then(
          () => failed,
          () => failed,
        );
        await Promise.race([Promise.all([stopped, forwarder?.stop()]), delay(STOP_MS)]);
        await close(giveUp);
      },
    };
  } catch (error) {
    await close(AbortSignal.abort());
    throw error;
  }
}

/** Stores the name under which the queue locks jobs before it takes the first one. */
function leasePlugin(lease: WorkerLease): GraphileConfig.Plugin {
  return {
    name: 'worker-lease',
    worker: { hooks: { startWorker: (_ctx, { worker }) => lease.bind(worker.workerPool.id) } },
  };
}

/** Opens a separate pool: jobs must not occupy the connections of calls, and the queue expects times as Dates. */
function openPool({ databaseUrl, connections, log }: Services, lease: WorkerLease, max: number): pg.Pool {
  const pool = createPool(databaseUrl, lease.connectionUse, {
    max,
    async onConnect(client) {
      connections.add(client);
      await lease.ensureHeld(client);
    },
  });
  pool.on('error', (error) => log.warn({ err: error }, 'a worker connection was lost'));
  // The queue warns about a pool without it.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Returns a function that resolves when the connections of the pool are closed. The pool's `end` does not wait for the server. */
function trackConnections(pool: pg.Pool): () => Promise<void> {
  const open = new Set<Promise<void>>();
  pool.on('connect', (client) => {
    const closed = new Promise<void>((resolve) => void client.once('end', resolve)).then(() => {
      open.delete(closed);
    });
    open.add(closed);
  });
  return async () => void (await Promise.all(open));
}

function tasksOf(services: Services, handlers: JobHandler[]): TaskList {
  return Object.fromEntries(
    handlers.map(({ name, run }) => [
      name,
      async (payload, helpers) => {
        const { key, max_attempts: maxAttempts, priority } = helpers.job;
        const request = { task: name, payload, maxAttempts, key, priority };
        if (await postponeIfSuspended(services.pool, request)) return;
        const started = performance.now();
        const measure = (result: JobResult) =>
          services.jobMetrics.onAttempt(name, result, (performance.now() - started) / 1_000);
        const parent = traceparentOf(payload);
        try {
          await withSpan({ name: `job ${name}`, kind: 'consumer', parent }, async () => {
            await run(services, payload, helpers.abortSignal);
            services.log.info({ job: name, ms: Math.round(performance.now() - started) }, 'job');
          });
        } catch (error) {
          measure('failed');
          throw error;
        }
        measure('done');
      },
    ]),
  );
}

/** Returns a logger for the queue's warnings and errors. Logs no payloads. */
function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (message.includes(LEASE_LOST)) return;
    if (level === 'error') log.error({ source: 'graphile-worker' }, message);
    // Jobs hold no connection of the queue while they run, and the assistant's are too long for larger fetches.
    if (level === 'warning' && !/maxPoolSize|job batch size/.test(message))
      log.warn({ source: 'graphile-worker' }, message);
  });
}
