import { MAX_TICKET_COUNT, type TicketCounts } from '@firmdesk/contract';
import { groupLabels } from '../filters/filter-labels.ts';
import type { InboxSearch } from '../search/inbox-search.ts';

/** A named set of filters. Its URL contains the filters, so it works for others too. */
export interface View {
  name: string;
  search: InboxSearch;
}

/** The view in which an account begins. */
export const FIRST_VIEW: InboxSearch = { status: 'waiting' };

/** Returns the views that every account has, with functions that return their ticket counts. */
export const builtInViewsOf = (userId: string): (View & { count?(counts: TicketCounts): number })[] => [
  {
    name: groupLabels.all,
    search: {},
    count: ({ waiting, ai, trader, ended }) => waiting + ai + trader + ended,
  },
  {
    name: groupLabels.open,
    search: { status: 'open' },
    count: ({ waiting, ai, trader }) => waiting + ai + trader,
  },
  { name: groupLabels.waiting, search: FIRST_VIEW, count: ({ waiting }) => waiting },
  { name: groupLabels.ai, search: { status: 'ai' }, count: ({ ai }) => ai },
  { name: groupLabels.trader, search: { status: 'trader' }, count: ({ trader }) => trader },
  { name: groupLabels.ended, search: { status: 'ended' }, count: ({ ended }) => ended },
  { name: 'Snoozed', search: { status: 'open', snoozed: 'only' }, count: ({ snoozed }) => snoozed },
  { name: 'Assigned to me', search: { status: 'open', assignee: userId } },
  { name: 'Mine and my teams’', search: { status: 'open', assignee: 'me' } },
  { name: 'Unassigned', search: { status: 'open', assignee: 'none' } },
];

/** Returns a number of tickets as text: above the maximum that is counted, the maximum and a plus sign. */
export function formatTicketCount(
  count: number,
  format: Intl.NumberFormat,
  max: number = MAX_TICKET_COUNT,
): string {
  return count > max ? `${format.format(max)}+` : format.format(count);
}

/** Returns whether two searches have the same filters. */
export function isSameSearch(a: InboxSearch, b: InboxSearch): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof InboxSearch>;
  return [...names].every((name) => a[name] === b[name]);
}
