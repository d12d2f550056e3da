import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressKey } from '../platform/address-key.ts';
import type { Clock } from '../platform/clock.ts';
import { ApiError } from '../platform/errors.ts';
import type { Reply } from './call.ts';
import { FailureLimiter } from './failure-limiter.ts';

/** Sign-in attempts a minute: from one address for one account, and from one address for all accounts. */
export const SIGN_IN_PER_ACCOUNT = 10;
export const SIGN_IN_PER_ADDRESS = 60;

/** Counted in each node's memory: a bound on abuse, not an account. */
export interface Limits {
  /** Counts one call of a token and states its budget in the reply. */
  call(tokenId: string, reply: Reply): Promise<void>;
  /**
   * Counts one attempt to verify a password, and raises `rate_limited` before anything is looked up or waited for. Returns
   * what to call when the password was right. Unknown accounts count like known ones.
   */
  signIn(attempt: SignInAttempt): Promise<() => void>;
}

export interface SignInAttempt {
  ip: string;
  /** In one spelling for an account: each spelling has a brake of its own. */
  email: string;
  /** What has a brake of its own: a device that has proved to be known, or an account that is signed in. */
  device: string | null;
}

declare module '../platform/services.ts' {
  interface Services {
    limits: Limits;
  }
}

export function createLimits(callsPerMinute: number, clock: Clock): Limits {
  const failures = new FailureLimiter(clock);
  const calls = callsPerMinute > 0 ? new RateLimiterMemory({ points: callsPerMinute, duration: 60 }) : null;
  const perAccount = new RateLimiterMemory({ points: SIGN_IN_PER_ACCOUNT, duration: 60 });
  const perAddress = new RateLimiterMemory({ points: SIGN_IN_PER_ADDRESS, duration: 60 });
  return {
    async call(tokenId, reply) {
      if (!calls) return;
      const state = await calls.consume(tokenId).catch(stateOf);
      const resetSeconds = Math.ceil(state.msBeforeNext / 1000);
      reply.headers['RateLimit-Limit'] = String(callsPerMinute);
      reply.headers['RateLimit-Remaining'] = String(Math.max(0, state.remainingPoints));
      reply.headers['RateLimit-Reset'] = String(resetSeconds);
      if (state.consumedPoints > callsPerMinute) refuse(resetSeconds);
    },
    async signIn({ ip, email, device }) {
      if (callsPerMinute === 0) return () => {};
      const address = addressKey(ip);
      await spend(perAddress, address);
      // A known device has a brake of its own: what others do to its account does not hold it up.
      const key = device === null ? `account ${email}` : `device ${device}`;
      if (device === null) await spend(perAccount, `${address} ${email}`);
      const waitSeconds = failures.take(key);
      if (waitSeconds > 0) refuse(waitSeconds);
      return () => failures.release(key);
    },
  };
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  const state = await limiter.consume(key).catch(stateOf);
  if (state.consumedPoints > limiter.points) refuse(Math.ceil(state.msBeforeNext / 1000));
}

/** The limiter rejects with its state when a budget is spent, and with an error when it is broken. */
function stateOf(rejection: unknown): RateLimiterRes {
  if (rejection instanceof RateLimiterRes) return rejection;
  throw rejection;
}

function refuse(retryAfterSeconds: number): never {
  throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, retryAfterSeconds) });
}
