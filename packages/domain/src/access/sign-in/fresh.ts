import { FRESH_SIGN_IN_MINUTES } from '@firmdesk/contract';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import type { SignInProof } from '../identity.ts';

/** Returns whether a session was opened or confirmed a moment ago. */
export function isFresh({ verifiedAt }: SignInProof, now: Date): boolean {
  return verifiedAt !== null && now.getTime() - verifiedAt.getTime() < FRESH_SIGN_IN_MINUTES * MINUTE_MS;
}
