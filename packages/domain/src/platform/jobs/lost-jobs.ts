import type { Job, WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '../process/log.ts';

const LOCKED = {
  name: 'locked-jobs',
  text: 'select id::text, locked_at::text from graphile_worker.jobs where locked_by = $1',
};

/**
 * Finds jobs that are locked for a worker which does not have them: the server has executed a fetch, but its connection ended before the
 * response (a freeze, a failover), or it has not executed the return of a job. The queue itself would unlock them after four hours.
 */
export class LostJobs {
  /** The ids of the jobs that the worker has, running or waiting to run. */
  readonly #held = new Set<string>();
  /** The locks that the worker did not know at the last look. */
  #suspects = new Set<string>();
  readonly #found = Promise.withResolvers<void>();
  readonly #pool: pg.Pool;
  readonly #log: Log;
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;

  /** Looks every `everyMs`, once the worker has been created. `pool` is that of the leases, which jobs cannot occupy. */
  constructor(pool: pg.Pool, log: Log, events: WorkerEvents, everyMs: number) {
    this.#pool = pool;
    this.#log = log;
    events.on('pool:create', ({ workerPool }) => {
      this.#timer = setInterval(() => void this.#look(workerPool.id), everyMs).unref();
    });
    events.on('localQueue:getJobs:complete', ({ jobs }) => {
      for (const { id } of jobs) this.#held.add(String(id));
    });
    const drop = ({ id }: Job) => this.#held.delete(String(id));
    events.on('localQueue:returnJobs', ({ jobs }) => jobs.forEach(drop));
    events.on('job:complete', ({ job }) => drop(job));
  }

  /** Resolves when the worker must end, so that the end of its lease unlocks its jobs. */
  get found(): Promise<void> {
    return this.#found.promise;
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  async #look(poolId: string): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { rows } = await this.#pool.query<{ id: string; locked_at: string }>({
        ...LOCKED,
        values: [poolId],
      });
      const unknown = rows
        .filter(({ id }) => !this.#held.has(id))
        .map(({ id, locked_at }) => `${id} ${locked_at}`);
      // At the first look, the response of a fetch may be on its way, or the result of a job not stored yet.
      const lost = unknown.filter((lock) => this.#suspects.has(lock)).length;
      this.#suspects = new Set(unknown);
      if (lost === 0) return;
      this.#log.warn({ jobs: lost }, 'jobs are locked for this worker, which did not receive them');
      this.#found.resolve();
    } catch {
      // The lease reports that the database is unavailable.
    } finally {
      this.#isLooking = false;
    }
  }
}
