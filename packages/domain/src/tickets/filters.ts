import type { ListTicketsInput } from '@firmdesk/contract';

/** Adds a value to a statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The account that `me` means. Its teams are read first: then PostgreSQL plans with their ids, and knows how many tickets match. */
export interface Caller {
  id: string;
  teams: readonly number[];
}

/** The groups of the queue as ranges of `queue_rank`: 0 to 3 wait for the team, most urgent first. */
const groups: Record<ListTicketsInput['status'], string | null> = {
  waiting: 't.queue_rank < 4',
  ai: 't.queue_rank = 4',
  trader: 't.queue_rank = 5',
  open: 't.queue_rank < 6',
  ended: 't.queue_rank = 6',
  all: null,
};

const urgency = { urgent: 3, high: 2, normal: 1, low: 0 };

/** Returns the filters of a list as conditions on `tickets t`. An unknown id, or one of another firm, matches nothing (G-23). */
export function filterConditions(
  { status, assignee, team, priority, tag }: ListTicketsInput,
  caller: Caller,
  bind: Bind,
): string[] {
  const conditions: (string | null)[] = [
    groups[status],
    priority === 'all' ? null : `t.urgency = ${urgency[priority]}`,
    assigneeCondition(assignee, caller, bind),
    team === 'any' ? null : team === 'none' ? 't.team_id is null' : `t.team_id = ${bind(team)}::bigint`,
  ];
  if (tag !== 'all') {
    const id = bind(tag);
    conditions.push(
      `exists (select from tags g where g.id = ${id}::bigint and g.deleted_at is null)`,
      `exists (select from ticket_tags x where x.ticket_id = t.id and x.tag_id = ${id}::bigint)`,
    );
  }
  return conditions.filter((condition) => condition !== null);
}

function assigneeCondition(assignee: string, caller: Caller, bind: Bind): string | null {
  if (assignee === 'anyone') return null;
  if (assignee === 'none') return 't.assignee_id is null and t.team_id is null';
  if (assignee !== 'me') return `t.assignee_id = ${bind(assignee)}`;
  return `(t.assignee_id = ${bind(caller.id)} or t.team_id = any(${bind(caller.teams)}::integer[]))`;
}
