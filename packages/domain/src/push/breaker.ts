import type { Clock } from '../platform/clock.ts';

/** Holds a lane back for a while after what says that its set-up is wrong, rather than its devices. */
export class Breaker {
  readonly #clock: Clock;
  /** Failures in a row that open it. */
  readonly #limit: number;
  #failures = 0;
  #openUntil = 0;

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** How long the lane is still held back, in ms; 0 when it is not. */
  remainingMs(): number {
    return Math.max(0, this.#openUntil - this.#clock.now().getTime());
  }

  succeed(): void {
    this.#failures = 0;
  }

  /** Notes a failure of weight 1, or one that is enough by itself; true when it has just opened the breaker. */
  fail(pauseMs: number, isCertain: boolean): boolean {
    this.#failures = isCertain ? this.#limit : this.#failures + 1;
    if (this.#failures < this.#limit || this.remainingMs() > 0) return false;
    this.#openUntil = this.#clock.now().getTime() + pauseMs;
    return true;
  }
}
