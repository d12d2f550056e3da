import { jitteredDelay } from './backoff.ts';

export interface RetryOptions {
  /** The most attempts of a call. 1 switches retries off. Default: 5. */
  maxAttempts?: number;
  /** A call is not retried later than this after its start. Default: 60 s. */
  withinMs?: number;
  /**
   * The budget of retries that all calls of the client share, so that many failing calls do not multiply the load of an outage. Each retry
   * takes 1 from it, each successful call returns 0.1. While it is below 1, calls are not retried. Default: 20.
   */
  budget?: number;
}

const DEFAULTS = { maxAttempts: 5, withinMs: 60_000, budget: 20 };
const RETURNED_BY_SUCCESS = 0.1;
const BACKOFF_MS = { base: 300, cap: 10_000 };

/** Decides how many retries the calls of a client may make, and when. */
export class RetryPolicy {
  readonly #options: Required<RetryOptions>;
  #budget: number;

  constructor(options: RetryOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#budget = this.#options.budget;
  }

  succeeded(): void {
    this.#budget = Math.min(this.#options.budget, this.#budget + RETURNED_BY_SUCCESS);
  }

  /**
   * Returns the delay before the next attempt and takes it from the budget; null if there may be no other attempt.
   *
   * @param attempts the number of attempts made
   * @param elapsedMs the time since the start of the first attempt
   * @param retryAfterSeconds the delay that the service asks for; null if it does not say
   */
  nextDelayMs(attempts: number, elapsedMs: number, retryAfterSeconds: number | null): number | null {
    const { maxAttempts, withinMs } = this.#options;
    const jitter = jitteredDelay(attempts - 1, BACKOFF_MS.base, BACKOFF_MS.cap);
    // With `Retry-After`: not earlier, and with jitter after it.
    const delayMs = retryAfterSeconds === null ? jitter : retryAfterSeconds * 1000 + Math.min(jitter, 1000);
    if (attempts >= maxAttempts || elapsedMs + delayMs > withinMs || this.#budget < 1) return null;
    this.#budget -= 1;
    return delayMs;
  }
}
