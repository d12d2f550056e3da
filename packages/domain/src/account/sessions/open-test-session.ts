import { PLATFORM, type SessionOpened } from '@firmdesk/contract';
import { ensureMayOpenFrom } from '../../access/sign-in/firm-provider.ts';
import {
  findSignInWorkspaces,
  isStaffSession,
  issueDeviceToken,
  selectStaffWorkspaces,
} from '../../access/tokens/sign-in-workspaces.ts';
import { ensureSandbox } from '../../access/workspaces/ensure-sandbox.ts';
import { firmSlug, slugIn } from '../../access/workspaces/sandbox.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { addTestData } from '../../test-data/index.ts';
import { endReplacedSession, findLiveIdentity } from './browser-session.ts';
import { lockDevice } from './lock-device.ts';
import type { SessionResult } from './session-cookie.ts';

/**
 * Ensures that the calling browser can act in the sandbox of a firm: with a session of its own, because a live session never acts
 * there. An administrator of the firm gets it in the firm's sandbox, with test data; staff get one for the sandboxes of all firms in which
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
  if (home.id !== identity.home.id) await ensureMayOpenFrom(ctx, identity, home.id);
  await endReplacedSession(ctx, cookie);
  const sandbox = { id: await ensureSandbox(db, home.id, now), slug: cookie, name: home.name };
  const { text } = await issueDeviceToken(
    ctx,
    user.id,
    { id: sandbox.id, isAdmin: true },
    deviceName,
    identity.signIn,
    'test',
  );
  await addTestData({
    ...ctx,
    identity: { ...identity, environment: 'test', home: sandbox },
    workspace: sandbox,
  });
  return { output, cookie: { workspace: cookie, token: text } };
}
