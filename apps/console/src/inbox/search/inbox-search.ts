import {
  readChoice,
  readPeriod,
  slaResults,
  type TicketViewSearch,
  ticketEnders,
  ticketGroups,
  ticketPriorities,
  ticketSorts,
} from '@firmdesk/contract';

/** The filters and the sort order in the URL (contract §4.7). */
export type InboxSearch = TicketViewSearch;

/** Rows per page of the list. */
export const PAGE_ROWS = 100;

/** Returns the input of `tickets.search` for a page of the list: the first one without a cursor. */
export function ticketPageInput(filters: InboxSearch, cursor: string | null) {
  return { ...filters, limit: PAGE_ROWS, ...(cursor !== null && { starting_after: cursor }) };
}

/** Returns the filters in a URL's search parameters. Drops unknown statuses, priorities and sort orders. */
export function parseInboxSearch(search: Record<string, unknown>): InboxSearch {
  const text = (name: string) => {
    const value = search[name];
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const day = (name: string) => {
    const value = text(name);
    return value !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined;
  };
  const oneOf = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === search[name]);
  const choice = (name: string, values: readonly string[]) => {
    const value = text(name);
    return readChoice(value)?.values.every((each) => values.includes(each)) ? value : undefined;
  };
  const period = (name: string) => {
    const value = text(name);
    return value !== undefined && readPeriod(value) !== null ? value : undefined;
  };
  const found: { [Name in keyof InboxSearch]: InboxSearch[Name] | undefined } = {
    status: choice('status', ticketGroups),
    assignee: text('assignee'),
    team: text('team'),
    priority: choice('priority', ticketPriorities),
    tag: text('tag'),
    snoozed: oneOf('snoozed', ['only', 'all']),
    q: text('q'),
    from: text('from'),
    before: day('before'),
    after: day('after'),
    has: choice('has', ['attachment']),
    is: choice('is', ['unread']),
    created: period('created'),
    ended: period('ended'),
    hour: text('hour'),
    weekday: text('weekday'),
    language: text('language'),
    replied: period('replied'),
    replied_by: text('replied_by'),
    macro: text('macro'),
    article: text('article'),
    first_reply: period('first_reply'),
    rated: period('rated'),
    ended_by: choice('ended_by', ticketEnders),
    sla: choice('sla', slaResults),
    due: /^-?(set|breached|[1-9]\d{0,3}m)$/.exec(text('due') ?? '')?.[0],
    sort: oneOf('sort', ticketSorts),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
