import { client } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { chosenFirm } from './chosen-firm.ts';

/** Ends this session and leaves for the sign-in page. What was typed and not sent stays in this browser. */
export async function signOut(): Promise<void> {
  try {
    await client.sessions.signOut.mutate();
  } catch (error) {
    return reportError(error, 'You are still signed in');
  }
  chosenFirm.set(null);
  location.assign('/sign-in');
}
