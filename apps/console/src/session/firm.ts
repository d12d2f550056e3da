import { createRpcClient } from '@firmdesk/client';
import type { BrowserSession } from '@firmdesk/contract';
import { takeEarlyAnswer } from '../early-calls.ts';
import { chooseFirm } from './choose-firm.ts';
import { firmOfPath, firmPath, needsFirm } from './firm-path.ts';

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

/** Infers the firm of a URL without one and adds it to the URL. Returns null if none can be inferred. */
async function firmOfWindow(): Promise<string | null> {
  if (!needsFirm(location.pathname)) return null;
  const early = (await takeEarlyAnswer('sessions.ofBrowser', undefined)) as BrowserSession[] | undefined;
  const chosen = chooseFirm(early ?? (await sessionsOfBrowser()));
  if (chosen !== null) history.replaceState(history.state, '', firmPath(chosen, currentPath()));
  return chosen;
}

async function sessionsOfBrowser(): Promise<BrowserSession[]> {
  const client = createRpcClient({ url: location.origin });
  try {
    return await client.sessions.ofBrowser.query(undefined, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    // The router repeats this query, and opens the page with the firm or shows the error.
    return [];
  } finally {
    void client.close();
  }
}
