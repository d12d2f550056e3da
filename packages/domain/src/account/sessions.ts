import { MAX_SESSIONS_LISTED, type Session } from '@firmdesk/contract';
import { sql } from 'kysely';
import { isLiveAt } from '../access/policy.ts';
import { revoke } from '../access/revoke.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { endedSessionCookie } from './session-cookie.ts';

/** The caller's signed-in devices that still live, most recently used first. */
export async function listSessions({ em, identity, now }: AccountContext): Promise<Session[]> {
  const rows = await sqlOf(em)
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.name', 't.created_at', 't.last_used_at', 't.expires_at'])
    .where('t.user_id', '=', identity.user.id)
    .where('t.kind', '=', 'device')
    .where(isLiveAt(now))
    .orderBy(sql`coalesce(t.last_used_at, t.created_at)`, 'desc')
    .orderBy('t.id', 'desc')
    .limit(MAX_SESSIONS_LISTED)
    .execute();
  return rows.map((row) => ({ object: 'session', ...row, current: row.id === identity.tokenId }));
}

/** Signs one of the caller's devices out. Its push registrations end with it (contract §3.3). */
export async function endSession(ctx: AccountContext, input: { id: string }) {
  const ended = await revoke(ctx, { id: input.id, userId: ctx.identity.user.id });
  if (ended.length === 0) throw new ApiError('resource_not_found');
  if (input.id === ctx.identity.tokenId) clearCookie(ctx);
  return { object: 'session_ended' as const, id: input.id };
}

/** Signs out: the calling token ends, whatever its kind. */
export async function signOut(ctx: AccountContext) {
  await revoke(ctx, { id: ctx.identity.tokenId, userId: ctx.identity.user.id, anyKind: true });
  clearCookie(ctx);
  return { object: 'session_ended' as const, id: ctx.identity.tokenId };
}

function clearCookie({ call, identity, services }: AccountContext): void {
  call.reply.headers['Set-Cookie'] = endedSessionCookie(identity.home.slug, services.secureCookies);
}
