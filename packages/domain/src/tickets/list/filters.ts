import {
  type TicketFilter,
  type TicketGroup,
  type TicketPriority,
  type TicketStatus,
  ticketGroupStatuses,
} from '@firmdesk/contract';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import type { Bind } from '../../platform/search/search-index.ts';
import { startOfDay } from '../../platform/search/start-of-day.ts';
import { NEVER_DUE } from '../../sla/index.ts';

/**
 * The account to which `assignee=me` refers, and the time of its call. Its teams are read by a statement of their own: with their ids the
 * planner can estimate how many tickets match.
 */
export interface Caller {
  id: string;
  timezone: string;
  now: Date;
  teams: readonly number[];
}

/** The values of `queue_rank` for each status, as migration 0005 derives them. Tickets that await the team rank by priority. */
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

/** The values of the column `urgency`, as migration 0005 derives them. */
const urgency = { urgent: 3, high: 2, normal: 1, low: 0 };

/** The filters of a list that are conditions on a ticket. `/v1` also knows the priority `all`. */
export type FilterInput = Omit<TicketFilter, 'priority' | 'q' | 'from'> & {
  priority?: TicketPriority | 'all' | undefined;
};

/** The condition that a message of the ticket has a file, or an image by its URL. */
const HAS_ATTACHMENT = `(exists (
  select from attachments a
  where a.workspace_id = $1 and a.ticket_id = t.id and a.part_of is not null and a.deleted_at is null)
  or exists (
  select from ticket_messages i where i.workspace_id = $1 and i.ticket_id = t.id and i.image_url is not null))`;

/**
 * Returns the filters of a list as conditions on `tickets t`; `$1` is the firm. An unknown id, or one of another firm, matches
 * nothing (G-23).
 */
export function filterConditions(
  {
    status = 'all',
    assignee = 'anyone',
    team = 'any',
    priority = 'all',
    tag = 'all',
    snoozed = 'all',
    before,
    after,
    has,
    is,
    due,
  }: FilterInput,
  caller: Caller,
  bind: Bind,
): string[] {
  const startOf = (day: string) => `${bind(startOfDay(day, caller.timezone))}::timestamptz`;
  const conditions: (string | null)[] = [
    status === 'all' ? null : groupCondition(status),
    priority === 'all' ? null : `t.urgency = ${urgency[priority]}`,
    assigneeCondition(assignee, caller, bind),
    snoozed === 'all' ? null : `t.snoozed_at is ${snoozed === 'only' ? 'not ' : ''}null`,
    team === 'any' ? null : team === 'none' ? 't.team_id is null' : `t.team_id = ${bind(team)}::bigint`,
    before === undefined ? null : `t.last_message_at < ${startOf(before)}`,
    after === undefined ? null : `t.last_message_at >= ${startOf(after)}`,
    has === undefined ? null : HAS_ATTACHMENT,
    is === undefined ? null : 't.unread > 0',
    due === undefined ? null : `t.next_due_at < ${bind(dueBefore(due, caller.now))}::timestamptz`,
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

/** Returns the time before which a ticket is due that a filter selects. */
function dueBefore(due: string, now: Date): string {
  if (due === 'set') return NEVER_DUE;
  const minutes = due === 'breached' ? 0 : Number.parseInt(due, 10);
  return new Date(now.getTime() + minutes * MINUTE_MS).toISOString();
}

function assigneeCondition(assignee: string, caller: Caller, bind: Bind): string | null {
  if (assignee === 'anyone') return null;
  if (assignee === 'none') return 't.assignee_id is null and t.team_id is null';
  if (assignee !== 'me') return `t.assignee_id = ${bind(assignee)}`;
  return `(t.assignee_id = ${bind(caller.id)} or t.team_id = any(${bind(caller.teams)}::integer[]))`;
}
