/** Where the time comes from; a test puts its own in its place. */
export interface Clock {
  now(): Date;
}

/** This machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** A difference to the database's clock that is left as it is: two machines in order, and the network between them. */
const TOLERATED_MS = 100;

/**
 * The database's clock, so that all processes have the same. It runs by itself between two questions, whatever happens to
 * this machine's clock. Before the first answer it is this machine's.
 */
export class DatabaseClock implements Clock {
  /** The moment at which `performance.now()` was 0. */
  #origin = Date.now() - performance.now();

  now(): Date {
    return new Date(this.#origin + performance.now());
  }

  /** Corrects it by an answer of the database's, with the times, by `performance.now()`, of question and answer. */
  correct(databaseNow: number, askedAt: number, answeredAt: number): void {
    const halfWay = (answeredAt - askedAt) / 2;
    const behind = databaseNow - (this.#origin + askedAt + halfWay);
    if (Math.abs(behind) > TOLERATED_MS + halfWay) this.#origin += behind;
  }
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
