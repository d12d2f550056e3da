import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Reply } from './call.ts';
import { ApiError } from './errors.ts';

/** Sign-in attempts a minute: from one address for one account, and from one address for all accounts. */
export const SIGN_IN_PER_ACCOUNT = 10;
export const SIGN_IN_PER_ADDRESS = 60;

/** Counted in each node's memory: a bound on abuse, not an account. */
export interface Limits {
  /** Counts one call of a token and states its budget in the reply. */
  call(tokenId: string, reply: Reply): Promise<void>;
  /** Counts one attempt to sign in. */
  signIn(ip: string, email: string): Promise<void>;
}

export function createLimits(callsPerMinute: number): Limits {
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
    async signIn(ip, email) {
      if (callsPerMinute === 0) return;
      for (const [limiter, key] of [
        [perAddress, ip],
        [perAccount, `${ip} ${email.toLowerCase()}`],
      ] as const) {
        const state = await limiter.consume(key).catch(stateOf);
        if (state.consumedPoints > limiter.points) refuse(Math.ceil(state.msBeforeNext / 1000));
      }
    },
  };
}

/** The limiter rejects with its state when a budget is spent, and with an error when it is broken. */
function stateOf(rejection: unknown): RateLimiterRes {
  if (rejection instanceof RateLimiterRes) return rejection;
  throw rejection;
}

function refuse(retryAfterSeconds: number): never {
  throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, retryAfterSeconds) });
}
