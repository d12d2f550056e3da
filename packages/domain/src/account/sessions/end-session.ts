import type { SessionEnded } from '@firmdesk/contract';
import { firmIdOf } from '../../access/policy.ts';
import { revokeTokens } from '../../access/tokens/revoke-tokens.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { SessionResult } from './session-cookie.ts';

/**
 * Signs out one of the caller's devices and removes its push registrations (contract §3.3). A session by the provider of a firm ends only those in
 * that firm. Throws `resource_not_found`.
 */
export async function endSession(
  ctx: AccountContext,
  input: { id: string },
): Promise<SessionResult<SessionEnded>> {
  const { user, environment, signIn, home } = ctx.identity;
  const ended = await revokeTokens(ctx, {
    id: input.id,
    userId: user.id,
    ...(environment === 'test' && { environment }),
    ...(signIn.method === 'provider' && { firmId: firmIdOf(home.id) }),
  });
  if (ended.length === 0) throw new ApiError('resource_not_found');
  return resultOf(ctx, input.id);
}

/** Revokes the calling token, of any kind. */
export async function signOut(ctx: AccountContext): Promise<SessionResult<SessionEnded>> {
  await revokeTokens(ctx, { id: ctx.identity.tokenId, userId: ctx.identity.user.id, anyKind: true });
  return resultOf(ctx, ctx.identity.tokenId);
}

/** The caller's own cookie is deleted with its session. */
function resultOf({ identity }: AccountContext, id: string): SessionResult<SessionEnded> {
  const output = { object: 'session_ended' as const, id };
  if (id !== identity.tokenId) return { output };
  return { output, cookie: { workspace: identity.home.slug, token: null } };
}
