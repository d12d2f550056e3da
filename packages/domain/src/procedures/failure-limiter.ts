import { type Clock, MINUTE_MS } from '../platform/clock.ts';

/** So many failures in a row cost nothing: whoever mistypes a password is not held up. */
export const FREE_FAILURES = 10;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 15 * MINUTE_MS;
/** Failures are forgotten after so long without another. */
const FORGOTTEN_MS = 60 * MINUTE_MS;
/** Of more keys the one that was used least recently is forgotten. */
const MAX_KEYS = 100_000;

interface Failures {
  count: number;
  lastAt: number;
  heldUntil: number;
}

/** Slows guessing down: after {@link FREE_FAILURES} failures of a key in a row, each further one doubles the delay until the next try. */
export class FailureLimiter {
  readonly #clock: Clock;
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts a try, as a failure until {@link release}: tries at the same time count too. Returns after how many seconds to
   * try again, and counts nothing then; 0 where the try may be made.
   */
  take(key: string): number {
    const now = this.#clock.now().getTime();
    const known = this.#failures.get(key);
    if (known && now < known.heldUntil) return Math.ceil((known.heldUntil - now) / 1000);
    const count = known && now - known.lastAt < FORGOTTEN_MS ? known.count + 1 : 1;
    const delay =
      count < FREE_FAILURES ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES), LONGEST_DELAY_MS);
    this.#failures.delete(key);
    this.#failures.set(key, { count, lastAt: now, heldUntil: now + delay });
    if (this.#failures.size > MAX_KEYS) this.#failures.delete(this.#failures.keys().next().value!);
    return 0;
  }

  /** Forgets the failures of a key: a try has succeeded. */
  release(key: string): void {
    this.#failures.delete(key);
  }
}
