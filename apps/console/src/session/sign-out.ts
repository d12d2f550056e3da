import { createRpcClient } from '@firmdesk/client';
import { client } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { rememberFirm } from './firm.ts';

/**
 * Ends this window's session and leaves for the sign-in page: a member's session of this firm alone, the staff's in every firm.
 * What was typed and not sent stays in this browser.
 */
export async function signOut(): Promise<void> {
  try {
    await client.sessions.signOut.mutate();
  } catch (error) {
    return reportError(error, 'You are still signed in');
  }
  leave();
}

/** Ends the sessions of these workspaces, and leaves. */
export async function signOutOf(workspaces: readonly string[]): Promise<void> {
  for (const workspace of workspaces) {
    const session = createRpcClient({ url: location.origin, workspace });
    await session.sessions.signOut.mutate().finally(() => session.close());
  }
  leave();
}

function leave(): void {
  rememberFirm(null);
  location.assign('/sign-in');
}
