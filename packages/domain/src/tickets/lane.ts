import { ApiError } from '../kernel/errors.ts';

/** Lets a few tasks run at a time, the others wait their turn: a bound on what one kind of work takes from all others. */
export class Lane {
  readonly #width: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width: number, maxWaiting: number) {
    this.#width = width;
    this.#maxWaiting = maxWaiting;
  }

  /** Raises `unavailable` when too many wait already. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#width) {
      if (this.#waiting.length >= this.#maxWaiting)
        throw new ApiError('unavailable', { retryAfterSeconds: 1 });
      await new Promise<void>((resume) => this.#waiting.push(resume));
    } else {
      this.#running++;
    }
    try {
      return await task();
    } finally {
      // The place goes to the next one as it is, so that nobody who comes now takes it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
