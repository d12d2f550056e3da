import type { SupportDirectory, TicketSort, ticketGroups } from '@firmdesk/contract';
import { priorityLabels } from '../../tickets/properties/ticket-labels.ts';
import type { InboxSearch } from '../search/inbox-search.ts';

export const groupLabels: Record<(typeof ticketGroups)[number], string> = {
  all: 'All tickets',
  open: 'All open',
  waiting: 'Needs reply',
  ai: 'AI handling',
  trader: 'Waiting on trader',
  ended: 'Done',
};

export const sortLabels: Record<TicketSort, string> = {
  queue: 'Queue',
  '-last_message_at': 'Latest activity',
  '-created_at': 'Newest',
  created_at: 'Oldest',
  '-priority': 'Priority',
  next_due_at: 'Due first',
};

/** An active filter: its label, and the search without it. */
export interface ActiveFilter {
  name: keyof InboxSearch;
  label: string;
  without: InboxSearch;
}

/** Returns the active filters. An unknown id is its own label. */
export function activeFilters(search: InboxSearch, directory: SupportDirectory | undefined): ActiveFilter[] {
  const { status, assignee, team, priority, tag, snoozed, q, from, before, after, has, is, due } = search;
  const labels: [keyof InboxSearch, string | undefined][] = [
    ['status', status && status !== 'all' ? groupLabels[status] : undefined],
    ['assignee', assignee && assignee !== 'anyone' ? assigneeLabel(assignee, directory) : undefined],
    ['team', team && team !== 'any' ? teamLabel(team, directory) : undefined],
    ['priority', priority && priorityLabels[priority]],
    [
      'tag',
      tag && tag !== 'all'
        ? `Tag: ${directory?.tags.find(({ id }) => String(id) === tag)?.name ?? tag}`
        : undefined,
    ],
    ['from', from && `From: ${from}`],
    ['after', after && `After ${after}`],
    ['before', before && `Before ${before}`],
    ['has', has && 'Has attachment'],
    ['is', is && 'Unread'],
    ['due', due && dueLabel(due)],
    ['snoozed', snoozed && { only: 'Snoozed', all: 'With snoozed', hidden: 'Not snoozed' }[snoozed]],
    ['q', q && `“${q}”`],
  ];
  return labels.flatMap(([name, label]) => {
    if (!label) return [];
    const { [name]: _, ...without } = search;
    return [{ name, label, without }];
  });
}

/** The choices of the filter for due times. */
export const dueLabels = {
  breached: 'Overdue',
  '30m': 'Due within 30 minutes',
  '60m': 'Due within 1 hour',
  '240m': 'Due within 4 hours',
  '1440m': 'Due within 1 day',
  set: 'Has a due time',
};

function dueLabel(due: string): string {
  return (dueLabels as Record<string, string>)[due] ?? `Due within ${Number.parseInt(due, 10)} minutes`;
}

function assigneeLabel(assignee: string, directory: SupportDirectory | undefined): string {
  if (assignee === 'me') return 'Assigned to me or my teams';
  if (assignee === 'none') return 'Unassigned';
  return `Assigned to ${directory?.agents.find(({ id }) => id === assignee)?.name ?? assignee}`;
}

function teamLabel(team: string, directory: SupportDirectory | undefined): string {
  if (team === 'none') return 'No team';
  return `Team: ${directory?.teams.find(({ id }) => String(id) === team)?.name ?? team}`;
}
