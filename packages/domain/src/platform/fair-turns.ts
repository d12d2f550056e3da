import { ApiError } from './errors.ts';

/** How many of one group may wait; of how many groups. */
export const MAX_WAITING_OF_GROUP = 60;
const MAX_GROUPS = 1_000;

/** Lets so many run at once. The groups of those that wait take turns, so that a rush of one group does not hold the others up. */
export class FairTurns {
  readonly #atOnce: number;
  /** In the order in which their next one runs. */
  readonly #groups = new Map<string, (() => void)[]>();
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Raises `rate_limited` where too many of the group wait already, `unavailable` where too many groups do. */
  async take<T>(group: string, run: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#wait(group);
    try {
      return await run();
    } finally {
      const next = this.#next();
      // The next one takes over the place.
      if (next) next();
      else this.#running--;
    }
  }

  #wait(group: string): Promise<void> {
    const waiting = this.#groups.get(group) ?? [];
    if (waiting.length >= MAX_WAITING_OF_GROUP) throw new ApiError('rate_limited', { retryAfterSeconds: 1 });
    if (waiting.length === 0 && this.#groups.size >= MAX_GROUPS)
      throw new ApiError('unavailable', { retryAfterSeconds: 1 });
    this.#groups.set(group, waiting);
    return new Promise<void>((resolve) => waiting.push(resolve));
  }

  #next(): (() => void) | undefined {
    const [first] = this.#groups;
    if (!first) return undefined;
    const [group, waiting] = first;
    this.#groups.delete(group);
    const next = waiting.shift();
    if (waiting.length > 0) this.#groups.set(group, waiting);
    return next;
  }
}
