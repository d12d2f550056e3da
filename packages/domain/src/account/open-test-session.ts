import { PLATFORM, type SessionOpened } from '@firmdesk/contract';
import { ensureTwin } from '../access/ensure-sandbox.ts';
import { firmSlug, slugIn } from '../access/sandbox.ts';
import {
  findSignInWorkspaces,
  isStaffSession,
  issueDeviceToken,
  selectStaffWorkspaces,
} from '../access/sign-in-workspaces.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { addTestData } from '../test-data/index.ts';
import { endReplacedSession, findLiveIdentity } from './browser-session.ts';
import { lockDevice } from './lock-device.ts';
import type { SessionResult } from './session-cookie.ts';

/**
 * Ensures that the calling browser can act in the test twin of a firm: with a session of its own, because a live session never acts
 * there. An administrator of the firm gets it in the firm's twin, with test data; staff get one for the twins of all firms in which
 * they may act. Throws `workspace_not_permitted`.
 */
export async function openTestSession(
  ctx: AccountContext,
  { workspace: slug }: { workspace: string },
): Promise<SessionResult<SessionOpened>> {
  const { identity, call, db, now } = ctx;
  const { user } = identity;
  if (identity.kind !== 'device' || call.sessions.size === 0) throw new ApiError('workspace_not_permitted');
  const deviceName = await lockDevice(ctx);
  const workspaces = await findSignInWorkspaces(ctx, user);
  const isAdmin = workspaces.some((each) => each.slug === firmSlug(slug) && each.isAdmin);
  const firm = isStaffSession(identity)
    ? await selectStaffWorkspaces(db, user.id).where('f.slug', '=', firmSlug(slug)).executeTakeFirst()
    : undefined;
  const home = workspaces.find((each) => each.slug === (firm ? PLATFORM : firmSlug(slug)));
  if (!home || !(firm || isAdmin)) throw new ApiError('workspace_not_permitted');
  const output = {
    object: 'session_opened' as const,
    tenant: { name: firm?.name ?? home.name, slug },
  };
  const cookie = slugIn('test', home.slug);
  const cookieToken = call.sessions.get(cookie);
  const current = cookieToken === undefined ? null : await findLiveIdentity(ctx, cookieToken);
  if (current?.user.id === user.id && current.home.slug === cookie) return { output };
  // A test session opens no other session: a live one would reach the firm.
  if (identity.environment === 'test') throw new ApiError('workspace_not_permitted');
  await endReplacedSession(ctx, cookie);
  const twin = { id: await ensureTwin(db, home.id, now), slug: cookie, name: home.name };
  const { text } = issueDeviceToken(ctx, user.id, { id: twin.id, isAdmin: true }, deviceName, 'test');
  await addTestData({ ...ctx, identity: { ...identity, environment: 'test', home: twin }, workspace: twin });
  return { output, cookie: { workspace: cookie, token: text } };
}
