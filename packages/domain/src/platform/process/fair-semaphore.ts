import { ApiError } from './errors.ts';

/** Beyond this queue length of one group, reject with `rate_limited`. */
export const MAX_WAITING_OF_GROUP = 60;
/** Beyond this number of waiting groups, reject with `unavailable`. */
const MAX_GROUPS = 1_000;

/** Limits how many tasks run concurrently. Waiting groups are served round-robin, so a burst from one group does not delay the others. */
export class FairSemaphore {
  readonly #limit: number;
  readonly #mostWaiting: number;
  /** Waiting tasks by group, in the order in which the groups are served. */
  readonly #groups = new Map<string, (() => void)[]>();
  #running = 0;

  /** @param mostWaiting how many tasks of a group wait: without a limit where jobs do, which are few at a time and must not be refused */
  constructor(limit: number, mostWaiting = MAX_WAITING_OF_GROUP) {
    this.#limit = limit;
    this.#mostWaiting = mostWaiting;
  }

  /** Runs the task when a permit is free. Throws `rate_limited` when the queue of the group is full, `unavailable` when too many groups wait. */
  async run<T>(group: string, task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running++;
    else await this.#wait(group);
    try {
      return await task();
    } finally {
      const next = this.#next();
      // The next one takes over the permit.
      if (next) next();
      else this.#running--;
    }
  }

  #wait(group: string): Promise<void> {
    const waiting = this.#groups.get(group) ?? [];
    if (waiting.length >= this.#mostWaiting) {
      throw new ApiError('rate_limited', { retryAfterSeconds: 1, limit: 'waiting_calls' });
    }
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
