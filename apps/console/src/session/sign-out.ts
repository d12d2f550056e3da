import { createRpcClient } from '@firmdesk/client';
import { client } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { forgetAccount, isSignedOut } from './account.ts';
import { rememberFirm } from './choose-firm.ts';
import { firm } from './firm.ts';
import { liveSlug, testSlug } from './firm-path.ts';

/**
 * Ends this window's session and opens the sign-in page. For a member that is the session of this firm, for staff the session
 * of every firm; in both cases also the session of the test data. Drafts stay in this browser.
 */
export async function signOut(): Promise<void> {
  try {
    if (firm === null) await client.sessions.signOut.mutate();
    else for (const workspace of [testSlug(firm), liveSlug(firm)]) await endSession(workspace);
  } catch (error) {
    return reportError(error, 'Couldn’t sign out');
  }
  leave();
}

/** Ends the sessions of these workspaces and opens the sign-in page. */
export async function signOutOf(workspaces: readonly string[]): Promise<void> {
  for (const workspace of workspaces) await endSession(workspace);
  leave();
}

/** Ends this browser's session of a workspace, if it has one. */
async function endSession(workspace: string): Promise<void> {
  const session = createRpcClient({ url: location.origin, workspace });
  try {
    await session.sessions.signOut.mutate();
  } catch (error) {
    if (!isSignedOut(error)) throw error;
  } finally {
    void session.close();
  }
}

function leave(): void {
  rememberFirm(null);
  forgetAccount();
  location.assign('/sign-in');
}
