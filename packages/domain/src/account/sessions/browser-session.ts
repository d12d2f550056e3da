import type { Identity } from '../../access/identity.ts';
import { authenticate } from '../../access/tokens/authenticate.ts';
import { revokeTokens } from '../../access/tokens/revoke-tokens.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { CallContext } from '../../procedures/call-context.ts';

/** Returns the identity of a session's token, or null if the token is not live. */
export async function findLiveIdentity(
  { services, now }: CallContext,
  token: string,
): Promise<Identity | null> {
  try {
    return await authenticate(services, token, now);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/**
 * Ends the session whose cookie for the workspace is about to be replaced or cleared: no browser has its token any more. Open windows
 * of another account then show the sign-in page instead of continuing as the new account.
 */
export async function endReplacedSession(ctx: CallContext, slug: string): Promise<void> {
  const token = ctx.call.sessions.get(slug);
  const replaced = token === undefined ? null : await findLiveIdentity(ctx, token);
  if (replaced) await revokeTokens(ctx, { id: replaced.tokenId, userId: replaced.user.id });
}
