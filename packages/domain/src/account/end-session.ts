import { revoke } from '../access/revoke.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { endedSessionCookie } from './session-cookie.ts';

/** Signs out one of the caller's devices and removes its push registrations (contract §3.3). Throws `resource_not_found`. */
export async function endSession(ctx: AccountContext, input: { id: string }) {
  const ended = await revoke(ctx, { id: input.id, userId: ctx.identity.user.id });
  if (ended.length === 0) throw new ApiError('resource_not_found');
  if (input.id === ctx.identity.tokenId) clearCookie(ctx);
  return { object: 'session_ended' as const, id: input.id };
}

/** Revokes the calling token, of any kind. */
export async function signOut(ctx: AccountContext) {
  await revoke(ctx, { id: ctx.identity.tokenId, userId: ctx.identity.user.id, anyKind: true });
  clearCookie(ctx);
  return { object: 'session_ended' as const, id: ctx.identity.tokenId };
}

function clearCookie({ call, identity, services }: AccountContext): void {
  call.reply.headers['Set-Cookie'] = endedSessionCookie(identity.home.slug, services.secureCookies);
}
