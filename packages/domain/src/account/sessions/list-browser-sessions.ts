import type { BrowserSession } from '@firmdesk/contract';
import { findAccessibleWorkspaces } from '../../access/tokens/sign-in-workspaces.ts';
import type { CallContext } from '../../procedures/call-context.ts';
import { findLiveIdentity } from './browser-session.ts';

/** The most sessions that are looked up. A `Cookie` header has no room for more. */
const MAX_SESSIONS = 50;

/** Returns the live sessions of the calling browser, with the firms in which each may act. */
export async function listBrowserSessions(ctx: CallContext): Promise<BrowserSession[]> {
  const tokens = [...ctx.call.sessions.values()].slice(0, MAX_SESSIONS);
  const identities = await Promise.all(tokens.map((token) => findLiveIdentity(ctx, token)));
  const sessions: BrowserSession[] = [];
  for (const identity of identities) {
    if (!identity) continue;
    await ctx.call.countFor(identity.tokenId);
    const { home, user } = identity;
    sessions.push({
      object: 'browser_session',
      workspace: { name: home.name, slug: home.slug },
      user: { id: user.id, name: user.name, email: user.email },
      workspaces: await findAccessibleWorkspaces(ctx, identity),
    });
  }
  return sessions;
}
