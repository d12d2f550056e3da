import { createRpcClient } from '@firmdesk/client';
import type { BrowserSession } from '@firmdesk/contract';
import { firmOfPath, firmPath, liveSlug } from './firm-path.ts';

/** The sessionStorage key of the window's firm, which links without a firm use. */
const WINDOW_FIRM = 'firmdesk.firm';
const TIMEOUT_MS = 5_000;

/**
 * The slug of this page's firm, or null if the URL has none and none can be inferred. It never changes: switching the firm loads
 * a new page, so that data of one firm never appears in another.
 */
export const firm: string | null = firmOfPath(location.pathname) ?? (await firmOfWindow());

/** Returns a page's path with this firm. Old links and notifications have paths without a firm. */
export function pathInFirm(page: string): string {
  return firm === null || firmOfPath(page) !== null ? page : firmPath(firm, page);
}

/** Returns the current path with its query and hash. */
export function currentPath(): string {
  return location.pathname + location.search + location.hash;
}

/** Stores the firm for links without a firm, in this window only. */
export function rememberFirm(chosen: string | null): void {
  try {
    if (chosen === null) sessionStorage.removeItem(WINDOW_FIRM);
    else sessionStorage.setItem(WINDOW_FIRM, chosen);
  } catch {
    // Without storage, such links open the firm picker.
  }
}

/** Infers the firm of a URL without one and adds it to the URL. Returns null if none can be inferred. */
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
function chooseFirm(sessions: readonly BrowserSession[], previous: string | null): string | null {
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
