import type pg from 'pg';
import type { Log } from '../process/log.ts';

/** How often the queue is asked for due jobs of which the workers were not told. */
const LOOK_MS = 1_000;

const HAS_DUE = {
  name: 'has-due-jobs',
  text: `
    select exists (
      select from graphile_worker.jobs where locked_at is null and attempts < max_attempts and run_at <= now()) as has_due`,
};

/**
 * Wakes the workers of a process every second while the queue has due jobs: delayed ones, and those whose notification was lost.
 * One statement replaces a poll by each worker: an idle process then does a third of the work.
 */
export class DueJobs {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #workers = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;
  /** Whether the last look failed: an outage is logged once. */
  #isFailing = false;

  /** `pool` is that of the leases, which jobs cannot occupy. */
  constructor(pool: pg.Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Calls `wake` every second while the queue has due jobs. Returns a function that ends the calls. */
  on(wake: () => void): () => void {
    this.#workers.add(wake);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS).unref();
    return () => {
      this.#workers.delete(wake);
      if (this.#workers.size > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { rows } = await this.#pool.query<{ has_due: boolean }>(HAS_DUE);
      if (rows[0]!.has_due) for (const wake of this.#workers) wake();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ err: error }, 'the queue cannot be asked for due jobs');
      this.#isFailing = true;
    } finally {
      this.#isLooking = false;
    }
  }
}
