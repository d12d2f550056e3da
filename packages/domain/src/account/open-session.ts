import { type BrowserSession, PLATFORM, type SessionOpened } from '@firmdesk/contract';
import { sql } from 'kysely';
import { authenticate } from '../access/authenticate.ts';
import type { Identity } from '../access/identity.ts';
import { belongsTo } from '../access/policy.ts';
import { revoke } from '../access/revoke.ts';
import {
  findAccessibleWorkspaces,
  findSignInWorkspaces,
  isStaffSession,
  issueDeviceToken,
  selectStaffWorkspaces,
} from '../access/sign-in-workspaces.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext, CallContext } from '../procedures/call-context.ts';
import { endedSessionCookie, sessionCookie } from './session-cookie.ts';

/** More sessions than this are not looked up: a browser sends no more cookies than fit in one header. */
const MAX_SESSIONS = 50;

/**
 * Makes sure that the calling browser can act for this account in another firm. A firm of the account's memberships gets a
 * session and a cookie of its own, unless the browser has one; the staff's session serves the firms that they may act in.
 * Never opens `platform`: staff rights need a password. Raises `workspace_not_permitted`.
 */
export async function openSession(
  ctx: AccountContext,
  { workspace: slug }: { workspace: string },
): Promise<SessionOpened> {
  const { identity, call, services } = ctx;
  const { user, home } = identity;
  const opened = ({ name }: { name: string }) => ({
    object: 'session_opened' as const,
    tenant: { name, slug },
  });
  if (home.slug === slug && slug !== PLATFORM) {
    const { rows } = await sql`select where ${belongsTo(user.id, home.id)}`.execute(sqlOf(ctx.em));
    if (rows.length === 0) throw new ApiError('workspace_not_permitted');
    return opened(home);
  }
  const held = call.sessions.get(slug);
  const current = held === undefined ? null : await identityOf(ctx, held);
  const isOpen = current?.user.id === user.id && current.home.slug === slug;
  const firm = isStaffSession(identity)
    ? await selectStaffWorkspaces(sqlOf(ctx.em), user.id).where('f.slug', '=', slug).executeTakeFirst()
    : undefined;
  if (firm) {
    // A session that is over, or another account's, would be the one that counts there.
    if (held !== undefined && !isOpen) {
      await endReplacedSession(ctx, slug, user.id);
      call.reply.headers['Set-Cookie'] = endedSessionCookie(slug, services.secureCookies);
    }
    return opened(firm);
  }
  // A key, or a token that came in another way, has no browser to keep the new one.
  if (identity.kind !== 'device' || call.sessions.size === 0) throw new ApiError('workspace_not_permitted');
  const deviceName = await lockDevice(ctx);
  const entry = (await findSignInWorkspaces(ctx, { id: user.id, isStaff: false })).find(
    (each) => each.slug === slug,
  );
  if (!entry) throw new ApiError('workspace_not_permitted');
  if (!isOpen) {
    await endReplacedSession(ctx, slug, user.id);
    const { text } = issueDeviceToken(ctx, user.id, entry, deviceName);
    call.reply.headers['Set-Cookie'] = sessionCookie(slug, text, services.secureCookies);
  }
  return opened(entry);
}

/**
 * Ends the session of another account whose cookie of a workspace is about to be replaced or cleared. Its windows then lead to
 * the sign-in page; else they would go on as the new account.
 */
export async function endReplacedSession(ctx: CallContext, slug: string, userId: string): Promise<void> {
  const held = ctx.call.sessions.get(slug);
  const replaced = held === undefined ? null : await identityOf(ctx, held);
  if (replaced && replaced.user.id !== userId) {
    await revoke(ctx, { id: replaced.tokenId, userId: replaced.user.id });
  }
}

/** Returns the live sessions of the calling browser, with the firms that each may go to. */
export async function listBrowserSessions(ctx: CallContext): Promise<BrowserSession[]> {
  const tokens = [...ctx.call.sessions.values()].slice(0, MAX_SESSIONS);
  const identities = await Promise.all(tokens.map((token) => identityOf(ctx, token)));
  const sessions: BrowserSession[] = [];
  for (const identity of identities) {
    if (!identity) continue;
    await ctx.services.limits.call(identity.tokenId, ctx.call.reply);
    const { home, user } = identity;
    sessions.push({
      object: 'browser_session',
      workspace: { name: home.name, slug: home.slug },
      user: { id: user.id, name: user.name, email: user.email },
      workspaces: await findAccessibleWorkspaces(sqlOf(ctx.em), identity),
    });
  }
  return sessions;
}

async function identityOf({ services, now }: CallContext, token: string): Promise<Identity | null> {
  try {
    return await authenticate(services, token, now);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/**
 * Locks the calling device's account and its token, and returns the device's name. A change of the password, or a sign-out, that
 * ran meanwhile has ended the token; a change of the password that comes later ends the new session too.
 */
async function lockDevice({ em, identity }: AccountContext): Promise<string | null> {
  const db = sqlOf(em);
  await sql`select from users where id = ${identity.user.id} for share`.execute(db);
  const { rows } = await sql<{ name: string | null }>`
    select name from tokens where id = ${identity.tokenId} and revoked_at is null for share`.execute(db);
  const token = rows[0];
  if (!token) throw new ApiError('revoked_token');
  return token.name;
}
