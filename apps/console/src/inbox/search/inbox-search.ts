import { choicePatterns, readPeriod, type TicketViewSearch, ticketSorts } from '@firmdesk/contract';

/** The filters and the sort order in the URL (contract §4.7). */
export type InboxSearch = TicketViewSearch;

/** Rows per page of the list. */
export const PAGE_ROWS = 100;

/** Returns the input of `tickets.search` for a page of the list: the first one without a cursor. */
export function ticketPageInput(filters: InboxSearch, cursor: string | null) {
  return { ...filters, limit: PAGE_ROWS, ...(cursor !== null && { starting_after: cursor }) };
}

const isText = (text: string) => text !== '';
const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(`${text}T00:00Z`));
const isPeriod = (text: string) => readPeriod(text) !== null;
const isOneOf = (values: readonly string[]) => (text: string) => values.includes(text);

/** What the service accepts in the filters that have no pattern. */
const checks: { [Name in keyof InboxSearch]: (text: string) => boolean } = {
  q: isText,
  from: isText,
  before: isDay,
  after: isDay,
  created: isPeriod,
  ended: isPeriod,
  replied: isPeriod,
  first_reply: isPeriod,
  rated: isPeriod,
  snoozed: isOneOf(['only', 'all']),
  sort: isOneOf(ticketSorts),
};
for (const [name, pattern] of Object.entries(choicePatterns))
  checks[name as keyof typeof choicePatterns] = (text) => pattern.test(text);

/** Returns the filters in a URL's search parameters, without those that the service would reject: links can be old or cut. */
export function parseInboxSearch(search: Record<string, unknown>): InboxSearch {
  const found = Object.entries(search).flatMap(([name, value]) => {
    // The router reads `q=12` as a number.
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && checks[name as keyof InboxSearch]?.(text) ? [[name, text]] : [];
  });
  return Object.fromEntries(found);
}
