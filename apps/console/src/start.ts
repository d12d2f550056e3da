/*
 * The page's first module. It is small and loaded before the others, and starts what the first page needs while they are being loaded: the
 * code of the page, and the calls without which it shows nothing. See docs/decisions/0012.
 */

import type { BrowserSession, Permission } from '@firmdesk/contract';
import { callEarly } from './early-calls.ts';
import { parseInboxSearch, ticketPageInput } from './inbox/search/inbox-search.ts';
import { lastView } from './inbox/views/last-view.ts';
import { chooseFirm } from './session/choose-firm.ts';
import { firmOfPath, needsFirm, pageOfPath } from './session/firm-path.ts';

/** Filters whose values are words of a list. Others can be rejected. */
const PLAIN_FILTERS = ['status', 'priority', 'snoozed', 'has', 'is', 'sort'];

const { pathname, search } = location;
const page = pageOfPath(pathname);
const isInbox = page === '/' || /^\/tickets(\/|$)/.test(page);
if (firmOfPath(pathname) !== null || needsFirm(pathname)) void start();

async function start(): Promise<void> {
  // The router imports them again, and handles a failure.
  if (isInbox) import('./inbox/inbox-page.tsx').catch(() => {});
  if (page.startsWith('/tickets/')) import('./tickets/ticket-page.tsx').catch(() => {});
  const firm = firmOfPath(pathname) ?? (await findFirm());
  if (firm === null) return;
  const account = callEarly('account.get', undefined, firm);
  // `/` opens the last view. An account without one may not see tickets, and opens another page.
  const view = lastView(firm);
  const filters = page === '/' ? view : Object.fromEntries(new URLSearchParams(search));
  if (!isInbox || !filters || !Object.keys(filters).every((name) => PLAIN_FILTERS.includes(name))) return;
  if (view === null && !mayViewTickets(await account)) return;
  void callEarly('tickets.search', ticketPageInput(parseInboxSearch(filters), null), firm);
}

function mayViewTickets(account: unknown): boolean {
  return (
    (account as { permissions: Permission[] } | undefined)?.permissions.includes('view_tickets') ?? false
  );
}

async function findFirm(): Promise<string | null> {
  const sessions = await callEarly('sessions.ofBrowser', undefined, null);
  return sessions === undefined ? null : chooseFirm(sessions as BrowserSession[]);
}
