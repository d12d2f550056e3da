import { FRESH_SIGN_IN_MINUTES } from '@firmdesk/contract';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import type { SignInProof } from '../identity.ts';

/** Returns whether a session was opened or confirmed a moment ago. */
export function isFresh({ verifiedAt }: SignInProof, now: Date): boolean {
  return verifiedAt !== null && now.getTime() - verifiedAt.getTime() < FRESH_SIGN_IN_MINUTES * MINUTE_MS;
}

/**
 * Returns whether a session may change how its account signs in: it is fresh, and by the account's own means. The provider of a firm speaks for that
 * firm only, and an account can belong to others.
 */
export function isFreshForAccount(proof: SignInProof, now: Date): boolean {
  return proof.method !== 'provider' && isFresh(proof, now);
}
