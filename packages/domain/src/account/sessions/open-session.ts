import { PLATFORM, type SessionOpened } from '@firmdesk/contract';
import { sql } from 'kysely';
import { belongsTo } from '../../access/policy.ts';
import { ensureMayOpenFrom } from '../../access/sign-in/firm-provider.ts';
import {
  findSignInWorkspaces,
  isStaffSession,
  issueDeviceToken,
  selectStaffWorkspaces,
} from '../../access/tokens/sign-in-workspaces.ts';
import { firmSuspended } from '../../access/workspaces/firm-suspended.ts';
import { isSandbox } from '../../access/workspaces/sandbox.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { recordSignIn } from '../audit-sign-in.ts';
import { endReplacedSession, findLiveIdentity } from './browser-session.ts';
import { lockDevice } from './lock-device.ts';
import { openTestSession } from './open-test-session.ts';
import type { SessionResult } from './session-cookie.ts';

/**
 * Ensures that the calling browser can act for this account in another firm, or in the sandbox of one (see {@link openTestSession}). For a firm in which the account is a member, the
 * browser gets another session and cookie, unless it has one. Staff use their session for all firms in which they may act. Never
 * opens `platform`, because staff rights need a password. Throws `workspace_not_permitted`.
 */
export async function openSession(
  ctx: AccountContext,
  { workspace: slug }: { workspace: string },
): Promise<SessionResult<SessionOpened>> {
  const { identity, call } = ctx;
  const { user, home } = identity;
  if (isSandbox({ slug })) return openTestSession(ctx, { workspace: slug });
  // A test session opens no session of a firm.
  if (identity.environment === 'test') throw new ApiError('workspace_not_permitted');
  const opened = ({ name }: { name: string }) => ({
    output: { object: 'session_opened' as const, tenant: { name, slug } },
  });
  if (home.slug === slug && slug !== PLATFORM) {
    const { rows } = await sql`select where ${belongsTo(user.id, home.id)}`.execute(ctx.db);
    if (rows.length === 0) throw new ApiError('workspace_not_permitted');
    return opened(home);
  }
  const cookieToken = call.sessions.get(slug);
  const current = cookieToken === undefined ? null : await findLiveIdentity(ctx, cookieToken);
  const isOpen = current?.user.id === user.id && current.home.slug === slug;
  const firm = isStaffSession(identity)
    ? await selectStaffWorkspaces(ctx.db, user.id).where('f.slug', '=', slug).executeTakeFirst()
    : undefined;
  if (firm) {
    // A cookie with an ended session or another account's session would take precedence in that firm.
    if (cookieToken !== undefined && !isOpen) {
      await endReplacedSession(ctx, slug);
      return { ...opened(firm), cookie: { workspace: slug, token: null } };
    }
    return opened(firm);
  }
  // A caller with an API key, or with a token that was not sent as a cookie, has no browser to store the new session.
  if (identity.kind !== 'device' || call.sessions.size === 0) throw new ApiError('workspace_not_permitted');
  const deviceName = await lockDevice(ctx);
  const entry = (await findSignInWorkspaces(ctx, { id: user.id, isStaff: false })).find(
    (each) => each.slug === slug,
  );
  if (!entry) throw new ApiError('workspace_not_permitted');
  if (entry.isSuspended) throw firmSuspended();
  if (isOpen) return opened(entry);
  await ensureMayOpenFrom(ctx, identity, entry.id);
  await endReplacedSession(ctx, slug);
  const { token, text } = await issueDeviceToken(ctx, user.id, entry, deviceName, identity.signIn);
  await recordSignIn(ctx, {
    userId: user.id,
    workspaceId: entry.id,
    session: token.id,
    method: identity.signIn.method,
  });
  return { ...opened(entry), cookie: { workspace: slug, token: text } };
}
