import type { Report } from '@firmdesk/contract';
import type { InboxSearch } from '../inbox/search/inbox-search.ts';

/** Returns the filters of the tickets behind a figure of a whole report, or of one of its days. */
export function ticketsOf(
  { days, ends_at }: Pick<Report, 'days' | 'ends_at'>,
  opens: 'created' | 'ended',
  more: InboxSearch = {},
  day?: number,
): InboxSearch {
  const from = days[day ?? 0]!.starts_at;
  const until = (day === undefined ? undefined : days[day + 1]?.starts_at) ?? ends_at;
  return { snoozed: 'all', [opens]: `${from}..${until}`, ...more };
}

/** Returns the filters of the open tickets of an age. */
export function openTicketsOf(
  backlog: Report['backlog'],
  i: number,
  now: number,
  more: InboxSearch,
): InboxSearch {
  const before = (days: number) => new Date(now - days * 86_400_000).toISOString();
  const next = backlog[i + 1];
  return {
    status: 'open',
    snoozed: 'all',
    created: `${next ? before(next.min_days) : '1970-01-01T00:00:00.000Z'}..${before(backlog[i]!.min_days)}`,
    ...more,
  };
}
