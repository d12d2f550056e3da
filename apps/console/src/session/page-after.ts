import { PLATFORM } from '@firmdesk/contract';
import { firmOfPath, firmPath, pageOfPath } from './firm-path.ts';

/** Returns the page to open after signing in: `back` if the session can open it. A staff session can open every firm. */
export function pageAfter(workspace: string, back: string): string {
  const named = firmOfPath(back);
  if (workspace === PLATFORM || workspace === named) return back;
  return firmPath(workspace, named === null ? pageOfPath(back) : '/');
}
