import type { Report } from '@firmdesk/contract';
import type { InboxSearch } from '../inbox/search/inbox-search.ts';

/** The filter that has the period of a figure: when its tickets were created or ended, or had a reply, the first one, or a rating. */
export type Counted = 'created' | 'ended' | 'replied' | 'first_reply' | 'rated';

/** The tickets behind a figure: what is counted in the period, and further filters. */
export interface Opens {
  counted: Counted;
  more?: InboxSearch;
}

/** A part of a report: all its days, one of them, or the period before. */
export type ReportPart = 'all' | 'before' | { day: number };

/** Returns the filters of the tickets behind a figure of a part of a report. */
export function ticketsOf(
  { days, previous_starts_at, ends_at }: Pick<Report, 'days' | 'previous_starts_at' | 'ends_at'>,
  { counted, more = {} }: Opens,
  team: InboxSearch,
  part: ReportPart = 'all',
): InboxSearch {
  const begins = days[0]!.starts_at;
  const [from, until] =
    part === 'all'
      ? [begins, ends_at]
      : part === 'before'
        ? [previous_starts_at, begins]
        : [days[part.day]!.starts_at, days[part.day + 1]?.starts_at ?? ends_at];
  return { snoozed: 'all', [counted]: `${from}..${until}`, ...team, ...more };
}

/** Returns the filters of the tickets that the assistant has answered in the month (UTC) of its allowance. */
export function answeredThisMonth(now: number): InboxSearch {
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
  const [from, until] = [0, 1].map((after) => new Date(Date.UTC(year, month + after)).toISOString());
  return { snoozed: 'all', replied: `${from}..${until}`, replied_by: 'assistant' };
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
