import {
  type TicketPriority,
  type TicketSort,
  ticketGroups,
  ticketPriorities,
  ticketSorts,
} from '@firmdesk/contract';

/** The filters and the sort order in the URL (contract §4.7). */
export interface InboxSearch {
  status?: (typeof ticketGroups)[number];
  assignee?: string;
  team?: string;
  priority?: TicketPriority;
  tag?: string;
  q?: string;
  sort?: TicketSort;
}

/** Returns the filters in a URL's search parameters. Drops unknown statuses, priorities and sort orders. */
export function parseInboxSearch(search: Record<string, unknown>): InboxSearch {
  const text = (name: string) => {
    const value = search[name];
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const oneOf = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === search[name]);
  const found: { [Name in keyof InboxSearch]: InboxSearch[Name] | undefined } = {
    status: oneOf('status', ticketGroups),
    assignee: text('assignee'),
    team: text('team'),
    priority: oneOf('priority', ticketPriorities),
    tag: text('tag'),
    q: text('q'),
    sort: oneOf('sort', ticketSorts),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
