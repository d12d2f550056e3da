import {
  type ListTicketsInput,
  type TicketGroup,
  type TicketStatus,
  ticketGroupStatuses,
} from '@firmdesk/contract';

/** Adds a value to a statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string;

/**
 * The account to which `assignee=me` refers. Its teams are read by a statement of their own: with their ids the planner can
 * estimate how many tickets match.
 */
export interface Caller {
  id: string;
  teams: readonly number[];
}

/** The values of `queue_rank` for each status, as migration 0004 derives them. Tickets that await the team rank by priority. */
const queueRanks: Record<TicketStatus, readonly number[]> = {
  awaiting_admin: [0, 1, 2, 3],
  open: [4],
  awaiting_trader: [5],
  resolved: [6],
  closed: [6],
};

/** Returns the statuses of a group as one range of `queue_rank`, which the queue's indexes begin with. */
export function groupCondition(group: TicketGroup): string {
  const ranks = ticketGroupStatuses[group].flatMap((status) => queueRanks[status]);
  const [first, last] = [Math.min(...ranks), Math.max(...ranks)];
  if (first === last) return `t.queue_rank = ${first}`;
  return first === 0 ? `t.queue_rank <= ${last}` : `t.queue_rank between ${first} and ${last}`;
}

/** The values of the column `urgency`, as migration 0004 derives them. */
const urgency = { urgent: 3, high: 2, normal: 1, low: 0 };

/**
 * Returns the filters of a list as conditions on `tickets t`; `$1` is the firm. An unknown id, or one of another firm, matches
 * nothing (G-23).
 */
export function filterConditions(
  { status, assignee, team, priority, tag }: ListTicketsInput,
  caller: Caller,
  bind: Bind,
): string[] {
  const conditions: (string | null)[] = [
    status === 'all' ? null : groupCondition(status),
    priority === 'all' ? null : `t.urgency = ${urgency[priority]}`,
    assigneeCondition(assignee, caller, bind),
    team === 'any' ? null : team === 'none' ? 't.team_id is null' : `t.team_id = ${bind(team)}::bigint`,
  ];
  if (tag !== 'all') {
    const id = bind(tag);
    conditions.push(
      `exists (select from tags g where g.workspace_id = $1 and g.id = ${id}::bigint and g.deleted_at is null)`,
      `exists (select from ticket_tags x where x.workspace_id = $1 and x.ticket_id = t.id and x.tag_id = ${id}::bigint)`,
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
