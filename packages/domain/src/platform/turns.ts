import { ApiError } from './errors.ts';

/** Who would come after so many others is better told to come again. */
export const MAX_WAITING = 100;

/** Lets so many run at once; the others wait for their turn, in the order in which they came. */
export class Turns {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Raises `unavailable` where too many wait already. */
  async take<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++;
    else if (this.#waiting.length >= MAX_WAITING) throw new ApiError('unavailable', { retryAfterSeconds: 1 });
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = this.#waiting.shift();
      // Whoever is next takes over the place.
      if (next) next();
      else this.#running--;
    }
  }
}
