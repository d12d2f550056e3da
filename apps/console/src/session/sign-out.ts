import { createRpcClient } from '@firmdesk/client';
import { client } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { forgetAccount } from './account.ts';
import { rememberFirm } from './firm.ts';

/**
 * Ends this window's session and opens the sign-in page. For a member that is the session of this firm, for staff the session
 * of every firm. Drafts stay in this browser.
 */
export async function signOut(): Promise<void> {
  try {
    await client.sessions.signOut.mutate();
  } catch (error) {
    return reportError(error, 'Couldn’t sign out');
  }
  leave();
}

/** Ends the sessions of these workspaces and opens the sign-in page. */
export async function signOutOf(workspaces: readonly string[]): Promise<void> {
  for (const workspace of workspaces) {
    const session = createRpcClient({ url: location.origin, workspace });
    await session.sessions.signOut.mutate().finally(() => session.close());
  }
  leave();
}

function leave(): void {
  rememberFirm(null);
  forgetAccount();
  location.assign('/sign-in');
}
