import type { Clock } from '../platform/process/clock.ts';

/** A circuit breaker: pauses after errors of the configuration, as opposed to errors of single devices. */
export class Breaker {
  readonly #clock: Clock;
  /** The number of consecutive failures that opens the breaker. */
  readonly #limit: number;
  #failures = 0;
  #openUntil = 0;

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Returns the remaining pause in ms; 0 if the breaker is closed. */
  remainingMs(): number {
    return Math.max(0, this.#openUntil - this.#clock.now().getTime());
  }

  succeed(): void {
    this.#failures = 0;
  }

  /** Counts a failure. One that is certain to repeat opens the breaker immediately. Returns true if this call opened it. */
  fail(pauseMs: number, isCertain: boolean): boolean {
    this.#failures = isCertain ? this.#limit : this.#failures + 1;
    if (this.#failures < this.#limit || this.remainingMs() > 0) return false;
    this.#openUntil = this.#clock.now().getTime() + pauseMs;
    return true;
  }
}
