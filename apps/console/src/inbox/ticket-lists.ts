import { asFirmdeskError } from '@firmdesk/client';
import type { Ticket } from '@firmdesk/contract';
import { client, queryClient, trpc } from '../api.ts';
import { accountQuery } from '../session/account.ts';
import type { InboxSearch } from './inbox-search.ts';
import { type Caller, matches } from './match.ts';
import { PAGE_ROWS, TicketPages } from './ticket-pages.ts';

/** Lists that are kept as they were left, so that going back finds them so. */
const KEPT_LISTS = 6;

/** The list of some filters, and where its reader is in it. */
export interface TicketList {
  readonly key: string;
  readonly filters: InboxSearch;
  readonly pages: TicketPages;
  /** Pixels scrolled. */
  offset: number;
  /** The row that the keys act on. */
  activeId: string | null;
}

const lists = new Map<string, TicketList>();

/** The list of these filters: as it was left, or a new one that begins to load. */
export function ticketListFor(filters: InboxSearch): TicketList {
  const key = keyOf(filters);
  const list = lists.get(key) ?? begin(key, filters);
  // The one that was used last stands last.
  lists.delete(key);
  lists.set(key, list);
  for (const [oldest, { pages }] of lists) {
    if (lists.size <= KEPT_LISTS) break;
    pages.stop();
    lists.delete(oldest);
  }
  return list;
}

/** Before a list is chosen anew, rather than gone back to: it begins at its top, in the order of now. */
export function resetList(filters: InboxSearch): void {
  const list = lists.get(keyOf(filters));
  if (!list) return;
  list.offset = 0;
  const { added, moved, isUncertain } = list.pages.pending;
  if (added > 0 || moved > 0 || isUncertain) void list.pages.reload();
}

export function patchLists(ticket: Ticket): void {
  for (const { pages } of lists.values()) pages.patch(ticket);
}

/** Looks again at every list that is kept: something may have been missed. */
export function refreshLists(): void {
  for (const { pages } of lists.values()) pages.refresh();
}

/** Asks again for what could not be had because the service, or the way to it, was away; not for what it refused. */
export function retryLists(): void {
  for (const { pages } of lists.values()) {
    if (pages.error === null) continue;
    const { status } = asFirmdeskError(pages.error);
    if (status === null || status >= 500) pages.retry();
  }
}

function begin(key: string, filters: InboxSearch): TicketList {
  const pages = new TicketPages({
    sort: filters.sort ?? 'queue',
    page: (cursor, signal) =>
      client.tickets.list.query(
        { ...filters, limit: PAGE_ROWS, ...(cursor !== null && { starting_after: cursor }) },
        { signal },
      ),
    ticket: (ticket, signal) => client.tickets.get.query({ ticket }, { signal }),
    matches: (ticket) => matches(ticket, filters, caller()),
  });
  void pages.reload();
  return { key, filters, pages, offset: 0, activeId: null };
}

function caller(): Caller {
  const id = queryClient.getQueryData(accountQuery().queryKey)?.user.id ?? '';
  const teams = queryClient.getQueryData(trpc.tickets.desk.queryKey())?.teams ?? [];
  return { id, teams: teams.filter(({ members }) => members.includes(id)).map((team) => team.id) };
}

function keyOf(filters: InboxSearch): string {
  return JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));
}
