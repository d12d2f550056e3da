import { SESSIONS_LISTED, type Session, TOKEN_IDLE_DAYS } from '@firmdesk/contract';
import { sql } from 'kysely';
import { DAY_MS } from '../kernel/clock.ts';
import type { AccountContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { ApiError } from '../kernel/errors.ts';
import { endedSessionCookie } from './session-cookie.ts';

/** The caller's signed-in devices that still live, most recently used first. */
export async function listSessions({ em, identity, now }: AccountContext): Promise<Session[]> {
  const idleSince = new Date(now.getTime() - TOKEN_IDLE_DAYS * DAY_MS);
  const lastUse = sql<Date>`coalesce(last_used_at, created_at)`;
  const rows = await sqlOf(em)
    .selectFrom('tokens')
    .select(['id', 'name', 'created_at', 'last_used_at', 'expires_at'])
    .where('user_id', '=', identity.user.id)
    .where('kind', '=', 'device')
    .where('revoked_at', 'is', null)
    .where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', now.toISOString())]),
    )
    .where(lastUse, '>', idleSince)
    .orderBy(lastUse, 'desc')
    .orderBy('id', 'desc')
    .limit(SESSIONS_LISTED)
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

interface Which {
  userId: string;
  id?: string;
  exceptId?: string;
  anyKind?: boolean;
}

/** Ends tokens at once, for every node reads them at each call; returns their ids. */
export async function revoke(
  { em, now }: Pick<AccountContext, 'em' | 'now'>,
  which: Which,
): Promise<string[]> {
  let update = sqlOf(em)
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', which.userId)
    .where('revoked_at', 'is', null);
  if (which.id) update = update.where('id', '=', which.id);
  if (which.exceptId) update = update.where('id', '!=', which.exceptId);
  if (!which.anyKind) update = update.where('kind', '=', 'device');
  const ids = (await update.returning('id').execute()).map(({ id }) => id);
  if (ids.length > 0) await sqlOf(em).deleteFrom('devices').where('token_id', 'in', ids).execute();
  return ids;
}

function clearCookie({ call, identity, services }: AccountContext): void {
  call.reply.headers['Set-Cookie'] = endedSessionCookie(identity.home.slug, services.secureCookies);
}
