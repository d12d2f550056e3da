/** The source of the current time. Tests replace it. */
export interface Clock {
  now(): Date;
}

/** This machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** A difference to the database's clock that is not corrected: the network delay between two accurate clocks. */
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

  /** Corrects the clock by the database's time, given when it was requested and received by `performance.now()`. */
  correct(databaseNow: number, askedAt: number, answeredAt: number): void {
    const halfWay = (answeredAt - askedAt) / 2;
    const behind = databaseNow - (this.#origin + askedAt + halfWay);
    if (Math.abs(behind) > TOLERATED_MS + halfWay) this.#origin += behind;
  }
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
