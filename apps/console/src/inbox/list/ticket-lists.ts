import type { Ticket } from '@firmdesk/contract';
import { client, queryClient, trpc } from '../../api.ts';
import { accountQuery } from '../../session/account.ts';
import { isUnreachable } from '../../unreachable.ts';
import { type InboxSearch, ticketPageInput } from '../search/inbox-search.ts';
import { type Caller, matches } from '../search/match.ts';
import { isOwnChange } from './own-changes.ts';
import { TicketPages } from './ticket-pages.ts';

/** How many lists are cached, so that going back restores them. */
const CACHED_LISTS = 6;

/** The list of a set of filters, with the scroll position. */
export interface TicketList {
  readonly key: string;
  readonly filters: InboxSearch;
  readonly pages: TicketPages;
  /** Pixels scrolled. */
  offset: number;
  /** The row that keyboard actions apply to. */
  activeId: string | null;
}

const lists = new Map<string, TicketList>();

/** Returns the cached list of these filters, or a new one that starts to load. */
export function ticketListFor(filters: InboxSearch): TicketList {
  const key = keyOf(filters);
  const list = lists.get(key) ?? createList(key, filters);
  // Moves the list to the end: the first one is the least recently used.
  lists.delete(key);
  lists.set(key, list);
  for (const [oldest, { pages }] of lists) {
    if (lists.size <= CACHED_LISTS) break;
    pages.stop();
    lists.delete(oldest);
  }
  return list;
}

/** Scrolls a cached list to its top and reloads it if it is out of date. Called when the user chooses a list, not on Back. */
export function resetList(filters: InboxSearch): void {
  const list = lists.get(keyOf(filters));
  if (!list) return;
  list.offset = 0;
  const { added, moved, isUncertain } = list.pages.pending;
  if (added > 0 || moved > 0 || isUncertain) void list.pages.reload();
}

export function patchLists(ticket: Ticket): void {
  const isOwn = isOwnChange(ticket.id);
  for (const { pages } of lists.values()) pages.patch(ticket, isOwn);
}

/** Refreshes every cached list after events may have been missed. */
export function refreshLists(): void {
  for (const { pages } of lists.values()) pages.refresh();
}

/** Retries lists that failed because of the network or a server error. Rejected requests (4xx) are not retried. */
export function retryLists(): void {
  for (const { pages } of lists.values()) {
    if (pages.error !== null && isUnreachable(pages.error)) pages.retry();
  }
}

function createList(key: string, filters: InboxSearch): TicketList {
  const pages = new TicketPages({
    sort: filters.sort ?? 'queue',
    page: (cursor, signal) => client.tickets.search.query(ticketPageInput(filters, cursor), { signal }),
    ticket: (ticket, signal) => client.tickets.get.query({ ticket }, { signal }),
    matches: (ticket) => matches(ticket, filters, currentCaller()),
  });
  void pages.reload();
  return { key, filters, pages, offset: 0, activeId: null };
}

function currentCaller(): Caller {
  const id = queryClient.getQueryData(accountQuery().queryKey)?.user.id ?? '';
  const teams = queryClient.getQueryData(trpc.tickets.desk.queryKey())?.teams ?? [];
  return { id, teams: teams.filter(({ members }) => members.includes(id)).map((team) => team.id) };
}

function keyOf(filters: InboxSearch): string {
  return JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));
}
