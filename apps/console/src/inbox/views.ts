import { MAX_TICKET_COUNT, type TicketCounts } from '@firmdesk/contract';
import { type StoredValue, storedValue } from '../stored-value.ts';
import { groupLabels } from './filter-labels.ts';
import { type InboxSearch, parseInboxSearch } from './inbox-search.ts';

/** A named set of filters. Its URL contains the filters, so it works for others too. */
export interface View {
  name: string;
  search: InboxSearch;
}

/** The views that every account has, with functions that return their ticket counts. */
export const builtInViews: (View & { count?(counts: TicketCounts): number })[] = [
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
  { name: groupLabels.waiting, search: { status: 'waiting' }, count: ({ waiting }) => waiting },
  { name: groupLabels.ai, search: { status: 'ai' }, count: ({ ai }) => ai },
  { name: groupLabels.trader, search: { status: 'trader' }, count: ({ trader }) => trader },
  { name: groupLabels.ended, search: { status: 'ended' }, count: ({ ended }) => ended },
  { name: 'My tickets', search: { status: 'open', assignee: 'me' } },
  { name: 'Unassigned', search: { status: 'open', assignee: 'none' } },
];

/** Returns a number of tickets as text: above the maximum that is counted, the maximum and a plus sign. */
export function formatTicketCount(count: number, format: Intl.NumberFormat): string {
  return count > MAX_TICKET_COUNT ? `${format.format(MAX_TICKET_COUNT)}+` : format.format(count);
}

export const MAX_VIEW_NAME = 60;

const stored = new Map<string, StoredValue<readonly View[]>>();

/** The views saved in this browser for a firm. */
export function savedViews(firm: string): StoredValue<readonly View[]> {
  const views = stored.get(firm) ?? storedValue(`views.${firm}`, parseViews);
  stored.set(firm, views);
  return views;
}

/** Saves a view. Replaces a view of the same name in place. */
export function saveView(firm: string, view: View): void {
  const views = savedViews(firm);
  const others = views.get();
  const isThere = others.some(({ name }) => name === view.name);
  views.set(isThere ? others.map((each) => (each.name === view.name ? view : each)) : [...others, view]);
}

export function renameView(firm: string, from: string, to: string): void {
  const views = savedViews(firm);
  views.set(
    views
      .get()
      .filter(({ name }) => name === from || name !== to)
      .map((view) => (view.name === from ? { ...view, name: to } : view)),
  );
}

export function deleteView(firm: string, name: string): void {
  const views = savedViews(firm);
  views.set(views.get().filter((view) => view.name !== name));
}

/** Returns whether two searches have the same filters. */
export function isSameSearch(a: InboxSearch, b: InboxSearch): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof InboxSearch>;
  return [...names].every((name) => a[name] === b[name]);
}

function parseViews(value: unknown): readonly View[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null || !('name' in each) || !('search' in each)) return [];
    const { name, search } = each;
    if (typeof name !== 'string' || typeof search !== 'object' || search === null) return [];
    return [{ name, search: parseInboxSearch(search as Record<string, unknown>) }];
  });
}
