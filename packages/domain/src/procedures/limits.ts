import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressKey } from '../platform/address-key.ts';
import type { Clock } from '../platform/process/clock.ts';
import { ApiError, type LimitName } from '../platform/process/errors.ts';
import type { Reply } from './call.ts';
import { FailureLimiter, type FailureLimits } from './failure-limiter.ts';

/** The maximum sign-in attempts per minute: from one address for one account, and from one address for all accounts. */
export const SIGN_IN_PER_ACCOUNT = 10;
export const SIGN_IN_PER_ADDRESS = 60;

/**
 * The wrong codes of an account from all devices that are not known, and those in all its sessions. Who has found out the password may try
 * codes from many addresses, and who has a session, or opens them as the firm's provider, in many sessions: beyond these, one code is tried in
 * half a minute, so that a guess takes months, and the owner waits for at most that on a new device or in a session.
 */
const CODES_OF_ACCOUNT: FailureLimits = { free: 100, longestMs: 30_000 };

/** Rate limits. Each process counts in its own memory: they limit abuse and are not exact. */
export interface Limits {
  /** Counts a call of a token and sets the `RateLimit` headers of the reply. Throws `rate_limited`. */
  call(tokenId: string, reply: Reply): Promise<void>;
  /**
   * Counts an attempt to verify a password. Throws `rate_limited` before any lookup. Returns a function to call if the password
   * is correct. Counts unknown accounts too.
   */
  signIn(attempt: SignInAttempt): Promise<() => void>;
  /**
   * Counts an attempt to verify a code of a second factor, by where it comes from, so that a stranger's wrong codes do not delay the owner's, and
   * by the account. Throws `rate_limited`. Returns a function to call if the code is correct.
   */
  code(attempt: CodeAttempt): Promise<() => void>;
  /** Counts a step of a sign-in that verifies no password, by its address. Throws `rate_limited`. */
  signInStart(ip: string): Promise<void>;
  /** Counts a call that was rejected with `rate_limited`, for the metrics. Does nothing by default. */
  onRejected: (limit: LimitName) => void;
}

export interface SignInAttempt {
  ip: string;
  /** The account's email address, normalized, because failures are counted per spelling. */
  email: string;
  /** A known device, or the id of a signed-in account. Its failures are counted separately from the account's. */
  device: string | null;
}

export interface CodeAttempt {
  ip: string;
  userId: string;
  /** The session that is confirmed; null for a sign-in. */
  session: string | null;
  /** A device that has signed in before; null for another one, which is counted by its address. */
  device: string | null;
  /** The challenge that stands for the password; null if the password was sent. */
  challenge: string | null;
}

declare module '../platform/services.ts' {
  interface Services {
    limits: Limits;
  }
}

export interface LimitsOptions {
  /** Calls per token and minute; 0 for no limit. */
  callsPerMinute: number;
  /** False only for tests: passwords could be guessed. */
  limitsSignIns: boolean;
  clock: Clock;
}

export function createLimits({ callsPerMinute, limitsSignIns, clock }: LimitsOptions): Limits {
  const failures = new FailureLimiter(clock);
  const calls = callsPerMinute > 0 ? new RateLimiterMemory({ points: callsPerMinute, duration: 60 }) : null;
  const codes = new FailureLimiter(clock);
  const codesOfAccount = new FailureLimiter(clock, CODES_OF_ACCOUNT);
  const perAccount = new RateLimiterMemory({ points: SIGN_IN_PER_ACCOUNT, duration: 60 });
  const perAddress = new RateLimiterMemory({ points: SIGN_IN_PER_ADDRESS, duration: 60 });
  return {
    onRejected() {},
    async call(tokenId, reply) {
      if (!calls) return;
      const state = await calls.consume(tokenId).catch(stateOf);
      const resetSeconds = Math.ceil(state.msBeforeNext / 1000);
      reply.headers['RateLimit-Limit'] = String(callsPerMinute);
      reply.headers['RateLimit-Remaining'] = String(Math.max(0, state.remainingPoints));
      reply.headers['RateLimit-Reset'] = String(resetSeconds);
      if (state.consumedPoints > callsPerMinute) rejectCall('calls_per_token', resetSeconds);
    },
    async signInStart(ip) {
      if (limitsSignIns) await spend(perAddress, addressKey(ip));
    },
    async code({ ip, userId, session, device, challenge }) {
      if (!limitsSignIns) return () => {};
      const address = addressKey(ip);
      await spend(perAddress, address);
      const place = session === null ? (device ?? address) : `session ${session}`;
      const places: [FailureLimiter, string][] = [[codes, `${place} of ${userId}`]];
      if (challenge !== null) places.push([codes, `challenge ${challenge}`]);
      if (session !== null) places.push([codesOfAccount, `sessions of ${userId}`]);
      else if (device === null) places.push([codesOfAccount, userId]);
      const waitSeconds = Math.max(...places.map(([limiter, key]) => limiter.waitFor(key)));
      if (waitSeconds > 0) rejectCall('sign_ins', waitSeconds);
      for (const [limiter, key] of places) limiter.take(key);
      return () => {
        for (const [limiter, key] of places) limiter.release(key);
      };
    },
    async signIn({ ip, email, device }) {
      if (!limitsSignIns) return () => {};
      const address = addressKey(ip);
      await spend(perAddress, address);
      // Failures of others do not delay a known device.
      const key = device === null ? `account ${email}` : `device ${device}`;
      if (device === null) await spend(perAccount, `${address} ${email}`);
      const waitSeconds = failures.take(key);
      if (waitSeconds > 0) rejectCall('sign_ins', waitSeconds);
      return () => failures.release(key);
    },
  };
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  const state = await limiter.consume(key).catch(stateOf);
  if (state.consumedPoints > limiter.points) rejectCall('sign_ins', Math.ceil(state.msBeforeNext / 1000));
}

/** Returns the limiter's state: the limiter rejects with it when the limit is exceeded. Rethrows an error. */
function stateOf(rejection: unknown): RateLimiterRes {
  if (rejection instanceof RateLimiterRes) return rejection;
  throw rejection;
}

function rejectCall(limit: LimitName, retryAfterSeconds: number): never {
  throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, retryAfterSeconds), limit });
}
