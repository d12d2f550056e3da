/** The source of the current time. Tests replace it. */
export interface Clock {
  now(): Date;
}

/** This machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Smaller differences to the database's clock are ignored: the network delay causes them. */
const TOLERATED_MS = 100;

/**
 * Follows the database's clock, so that all processes agree on the time. Between two corrections it runs on the monotonic
 * clock, which changes of this machine's clock do not affect. Until the first correction it is this machine's clock.
 */
export class DatabaseClock implements Clock {
  /** The time at which `performance.now()` was 0. */
  #origin = Date.now() - performance.now();

  now(): Date {
    return new Date(this.#origin + performance.now());
  }

  /** Corrects the clock by the database's time, and the `performance.now()` at which it was requested and received. */
  correct(databaseNow: number, requestedAt: number, receivedAt: number): void {
    const delayMs = (receivedAt - requestedAt) / 2;
    const behindMs = databaseNow - (this.#origin + requestedAt + delayMs);
    if (Math.abs(behindMs) > TOLERATED_MS + delayMs) this.#origin += behindMs;
  }
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
