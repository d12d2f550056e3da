import type { BrowserSession } from '@firmdesk/contract';
import { liveSlug } from './firm-path.ts';

/** The sessionStorage key of the window's firm, which links without a firm use. */
const WINDOW_FIRM = 'firmdesk.firm';

/** Stores the firm for links without a firm, in this window only. */
export function rememberFirm(chosen: string | null): void {
  try {
    if (chosen === null) sessionStorage.removeItem(WINDOW_FIRM);
    else sessionStorage.setItem(WINDOW_FIRM, chosen);
  } catch {
    // Without storage, such links open the firm picker.
  }
}

/** Returns the window's previous firm if it is still accessible, otherwise the only firm, otherwise null. */
export function chooseFirm(sessions: readonly BrowserSession[]): string | null {
  const previous = rememberedFirm();
  const firms = new Set(sessions.flatMap(({ workspaces }) => workspaces.map(({ slug }) => slug)));
  if (previous !== null && firms.has(liveSlug(previous))) return previous;
  return firms.size === 1 ? [...firms][0]! : null;
}

function rememberedFirm(): string | null {
  try {
    return sessionStorage.getItem(WINDOW_FIRM);
  } catch {
    return null;
  }
}
