import { LRUCache } from 'lru-cache';
import { type Clock, MINUTE_MS } from '../platform/process/clock.ts';

/** The number of consecutive failures without a delay, for mistyped passwords. */
export const FREE_FAILURES = 10;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 15 * MINUTE_MS;
/** Failures are forgotten after this time without another one. */
const MEMORY_MS = 60 * MINUTE_MS;
/** With more keys, the least recently used one is forgotten. */
const MAX_KEYS = 100_000;

export interface FailureLimits {
  /** The consecutive failures without a delay. */
  free: number;
  longestMs: number;
}

const OF_PASSWORDS: FailureLimits = { free: FREE_FAILURES, longestMs: LONGEST_DELAY_MS };

interface Failures {
  count: number;
  lastAt: number;
  blockedUntil: number;
}

/**
 * Limits the rate of guesses. After the free consecutive failures of a key, each further one doubles the delay before the next attempt.
 */
export class FailureLimiter {
  readonly #clock: Clock;
  readonly #limits: FailureLimits;
  readonly #failures = new LRUCache<string, Failures>({ max: MAX_KEYS });

  constructor(clock: Clock, limits = OF_PASSWORDS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Returns the seconds until an attempt is allowed, and counts nothing. */
  waitFor(key: string): number {
    const blockedUntil = this.#failures.get(key)?.blockedUntil ?? 0;
    return Math.max(0, Math.ceil((blockedUntil - this.#clock.now().getTime()) / 1000));
  }

  /**
   * Counts an attempt as a failure until {@link release}, so that concurrent attempts count too. Returns 0 if the attempt is
   * allowed; otherwise counts nothing and returns the seconds to wait.
   */
  take(key: string): number {
    const now = this.#clock.now().getTime();
    const wait = this.waitFor(key);
    if (wait > 0) return wait;
    const { free, longestMs } = this.#limits;
    const known = this.#failures.get(key);
    const count = known && now - known.lastAt < MEMORY_MS ? known.count + 1 : 1;
    const delay = count < free ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (count - free), longestMs);
    this.#failures.set(key, { count, lastAt: now, blockedUntil: now + delay });
    return 0;
  }

  /** Forgets the failures of a key after a successful attempt. */
  release(key: string): void {
    this.#failures.delete(key);
  }
}
