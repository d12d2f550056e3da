import { ApiError } from './errors.ts';

/** Beyond this queue length, reject with `unavailable`, unless a semaphore has a limit of its own. */
export const MAX_WAITING = 100;

/** Limits how many tasks run concurrently. The others wait in the order of arrival. */
export class Semaphore {
  readonly #limit: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number, maxWaiting = MAX_WAITING) {
    this.#limit = limit;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs the task when a permit is free. Throws `unavailable` when the queue is full. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running++;
    else if (this.#waiting.length >= this.#maxWaiting)
      throw new ApiError('unavailable', { retryAfterSeconds: 1 });
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The next one takes over the permit.
      if (next) next();
      else this.#running--;
    }
  }
}
