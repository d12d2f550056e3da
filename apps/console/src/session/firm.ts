import { createRpcClient } from '@firmdesk/client';
import type { BrowserSession } from '@firmdesk/contract';
import { firmOfPath, firmPath } from './firm-path.ts';

/** The sessionStorage key of the window's firm, which links without a firm use. */
const WINDOW_FIRM = 'firmdesk.firm';
const TIMEOUT_MS = 5_000;

/**
 * The firm of this page; null when the address names none and it is not clear which one is meant. It never changes: another
 * firm means another page load, so that no data of one firm reaches the other.
 */
export const firm: string | null = firmOfPath(location.pathname) ?? (await firmOfWindow());

/** Returns a page's path with this firm. Old links and notifications name pages without it. */
export function pathInFirm(page: string): string {
  return firm === null || firmOfPath(page) !== null ? page : firmPath(firm, page);
}

/** Returns the current path with its query and hash. */
export function currentPath(): string {
  return location.pathname + location.search + location.hash;
}

/** Stores the firm for links that name none, in this window only. */
export function rememberFirm(chosen: string | null): void {
  try {
    if (chosen === null) sessionStorage.removeItem(WINDOW_FIRM);
    else sessionStorage.setItem(WINDOW_FIRM, chosen);
  } catch {
    // Without storage, such links open the firm picker.
  }
}

/** Adds the firm to an address without one, if it is clear which firm is meant. */
async function firmOfWindow(): Promise<string | null> {
  if (/^\/(firms|sign-in)(?=\/|$)/.test(location.pathname)) return null;
  const chosen = chooseFirm(await sessionsOfBrowser(), rememberedFirm());
  if (chosen !== null) history.replaceState(history.state, '', firmPath(chosen, currentPath()));
  return chosen;
}

async function sessionsOfBrowser(): Promise<BrowserSession[]> {
  const client = createRpcClient({ url: location.origin });
  try {
    return await client.sessions.ofBrowser.query(undefined, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    // The page repeats this query and shows the error.
    return [];
  } finally {
    void client.close();
  }
}

/** Returns the window's previous firm if it is still accessible, otherwise the only firm, otherwise null. */
function chooseFirm(sessions: readonly BrowserSession[], before: string | null): string | null {
  const firms = new Set(sessions.flatMap(({ workspaces }) => workspaces.map(({ slug }) => slug)));
  if (before !== null && firms.has(before)) return before;
  return firms.size === 1 ? [...firms][0]! : null;
}

function rememberedFirm(): string | null {
  try {
    return sessionStorage.getItem(WINDOW_FIRM);
  } catch {
    return null;
  }
}
