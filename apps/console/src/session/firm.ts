import { createRpcClient } from '@firmdesk/client';
import type { BrowserSession } from '@firmdesk/contract';
import { firmOfPath, firmPath } from './firm-path.ts';

/** Of this window, and kept over reloads: where a link that names no firm leads. */
const WINDOW_FIRM = 'firmdesk.firm';
const PATIENCE_MS = 5_000;

/**
 * The firm of this page, for as long as the page lives; null where the address names none and none can be chosen for the
 * reader. To go to another firm is to load another page: nothing of one firm can arrive in the other.
 */
export const firm: string | null = firmOfPath(location.pathname) ?? (await firmOfWindow());

/** Returns the firm's address of a page that is named without the firm, as links of before and notifications name it. */
export function pathInFirm(page: string): string {
  return firm === null || firmOfPath(page) !== null ? page : firmPath(firm, page);
}

/** What the window's address is, from `/` on. */
export function currentPath(): string {
  return location.pathname + location.search + location.hash;
}

/** Keeps the firm for links that name none, in this window alone. */
export function rememberFirm(chosen: string | null): void {
  try {
    if (chosen === null) sessionStorage.removeItem(WINDOW_FIRM);
    else sessionStorage.setItem(WINDOW_FIRM, chosen);
  } catch {
    // Without storage, such links lead to the picker.
  }
}

/** Puts the firm into an address that names none, where there is no doubt which. */
async function firmOfWindow(): Promise<string | null> {
  if (/^\/(firms|sign-in)(?=\/|$)/.test(location.pathname)) return null;
  const chosen = chooseFirm(await sessionsOfBrowser(), rememberedFirm());
  if (chosen !== null) history.replaceState(history.state, '', firmPath(chosen, currentPath()));
  return chosen;
}

async function sessionsOfBrowser(): Promise<BrowserSession[]> {
  const client = createRpcClient({ url: location.origin });
  try {
    return await client.sessions.ofBrowser.query(undefined, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    // The page asks again, and shows what is wrong.
    return [];
  } finally {
    void client.close();
  }
}

/** The firm that the window was in, if it may still be; else the only one there is. */
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
