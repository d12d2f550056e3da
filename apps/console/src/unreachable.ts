import { asFirmdeskError } from '@firmdesk/client';

/** Returns whether a call may have failed only because the service could not be reached. An answer that refuses it says something else. */
export function isUnreachable(error: unknown): boolean {
  const { status } = asFirmdeskError(error);
  return status === null || status >= 500;
}
