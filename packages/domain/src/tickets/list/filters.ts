import {
  type TicketFilter,
  type TicketGroup,
  type TicketPriority,
  type TicketStatus,
  ticketGroupStatuses,
} from '@firmdesk/contract';
import { TRADER_LANGUAGE } from '../../access/accounts/trader-language.ts';
import { zoneOfFirm } from '../../access/workspaces/firm-zone.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import type { Bind } from '../../platform/search/search-index.ts';
import { startOfDay } from '../../platform/search/start-of-day.ts';
import { NEVER_DUE } from '../../sla/index.ts';
import { chosen, isOneOf, periodCondition } from './filter-conditions.ts';
import { reportConditions } from './report-filters.ts';

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

/** Returns the statuses of groups as a range of `queue_rank`, which the queue's indexes begin with, or else as its values. */
export function groupCondition(...groups: TicketGroup[]): string {
  const statuses = new Set(groups.flatMap((group) => ticketGroupStatuses[group]));
  const ranks = [...new Set([...statuses].flatMap((status) => queueRanks[status]))].sort();
  const [first = 0, last = 0] = [ranks[0], ranks.at(-1)];
  if (ranks.length <= last - first) return `t.queue_rank in (${ranks.join(', ')})`;
  if (first === last) return `t.queue_rank = ${first}`;
  return first === 0 ? `t.queue_rank <= ${last}` : `t.queue_rank between ${first} and ${last}`;
}

/** The values of the column `urgency`, as migration 0005 derives them. */
const urgency = { urgent: 3, high: 2, normal: 1, low: 0 };

/** The filters of a list that are conditions on a ticket. Those of `/v1` are among them: one value each, or a word for all. */
export type FilterInput = Omit<TicketFilter, 'q' | 'from'>;

/** The filters that no index has: a list looks into ticket after ticket. */
const scanning = [
  'has',
  'created',
  'ended',
  'hour',
  'weekday',
  'language',
  'replied',
  'replied_by',
  'macro',
  'article',
  'first_reply',
  'rated',
  'ended_by',
  'sla',
] as const satisfies (keyof FilterInput)[];

/** Returns whether a list with these filters can look into all tickets of the firm. */
export function scansTickets(filter: FilterInput): boolean {
  return scanning.some((name) => filter[name] !== undefined);
}

/** The condition that a message of the ticket has a file, or an image by its URL. */
const HAS_ATTACHMENT = `(exists (
  select from attachments a
  where a.workspace_id = $1 and a.ticket_id = t.id and a.part_of is not null and a.deleted_at is null)
  or exists (
  select from ticket_messages i where i.workspace_id = $1 and i.ticket_id = t.id and i.image_url is not null))`;

/** When the ticket was created, in the firm's zone. */
const CREATED_LOCALLY = `(t.created_at at time zone ${zoneOfFirm('$1')})`;

/** The language of the ticket's trader. */
const LANGUAGE = `coalesce((
  select ${TRADER_LANGUAGE} from users u left join trader_profiles p on p.workspace_id = $1 and p.user_id = u.id
  where u.id = t.trader_id), '')`;

/**
 * Returns the filters of a list as conditions on `tickets t`; `$1` is the firm. An unknown id, or one of another firm, matches
 * nothing (G-23).
 */
export function filterConditions(
  {
    status,
    assignee,
    team,
    priority,
    tag,
    snoozed = 'all',
    before,
    after,
    has,
    is,
    due,
    created,
    ended,
    hour,
    weekday,
    language,
    ...reported
  }: FilterInput,
  caller: Caller,
  bind: Bind,
): string[] {
  const startOf = (day: string) => `${bind(startOfDay(day, caller.timezone))}::timestamptz`;
  const conditions: (string | null)[] = [
    chosen(status, (groups) => groupCondition(...(groups as TicketGroup[]))),
    chosen(priority, (names) =>
      isOneOf(
        't.urgency',
        names.map((name) => urgency[name as TicketPriority]),
      ),
    ),
    chosen(assignee, (values) => assigneeCondition(values, caller, bind)),
    snoozed === 'all' ? null : `t.snoozed_at is ${snoozed === 'only' ? 'not ' : ''}null`,
    chosen(team, (values) => teamCondition(values, bind)),
    before === undefined ? null : `t.last_message_at < ${startOf(before)}`,
    after === undefined ? null : `t.last_message_at >= ${startOf(after)}`,
    chosen(has, () => HAS_ATTACHMENT),
    chosen(is, () => 't.unread > 0'),
    chosen(due, (values) => `t.next_due_at < ${bind(latestDue(values, caller.now))}::timestamptz`),
    chosen(tag, (ids) => tagCondition(ids, bind)),
    periodCondition('t.created_at', created, bind),
    ended === undefined ? null : `(${periodCondition('t.closed_at', ended, bind)} and t.merged_into is null)`,
    chosen(hour, (hours) => isOneOf(`extract(hour from ${CREATED_LOCALLY})`, hours.map(Number))),
    chosen(weekday, (days) => isOneOf(`to_char(${CREATED_LOCALLY}, 'dy')`, days.map(bind))),
    chosen(language, (names) =>
      isOneOf(
        LANGUAGE,
        names.map((name) => bind(name === 'none' ? '' : name)),
      ),
    ),
    ...reportConditions(reported, bind),
  ];
  return conditions.filter((condition) => condition !== null);
}

/** Returns the last of the times before which tickets are due that a filter selects. */
function latestDue(values: readonly string[], now: Date): string {
  if (values.includes('set')) return NEVER_DUE;
  const minutes = values.map((due) => (due === 'breached' ? 0 : Number.parseInt(due, 10)));
  return new Date(now.getTime() + Math.max(...minutes) * MINUTE_MS).toISOString();
}

function assigneeCondition(values: readonly string[], caller: Caller, bind: Bind): string {
  const conditions: string[] = [];
  const agents = values.filter((value) => value !== 'me' && value !== 'none');
  if (values.includes('none')) conditions.push('(t.assignee_id is null and t.team_id is null)');
  if (values.includes('me'))
    conditions.push(
      `t.assignee_id = ${bind(caller.id)}`,
      `t.team_id = any(${bind(caller.teams)}::integer[])`,
    );
  if (agents.length > 0) conditions.push(isOneOf('t.assignee_id', agents.map(bind)));
  return conditions.length === 1 ? conditions[0]! : `(${conditions.join(' or ')})`;
}

function teamCondition(values: readonly string[], bind: Bind): string {
  const teams = values.filter((value) => value !== 'none').map((id) => `${bind(id)}::bigint`);
  const hasTeam = teams.length === 0 ? null : isOneOf('t.team_id', teams);
  if (!values.includes('none')) return hasTeam!;
  return hasTeam === null ? 't.team_id is null' : `(t.team_id is null or ${hasTeam})`;
}

function tagCondition(values: readonly string[], bind: Bind): string {
  const ids = values.map((id) => `${bind(id)}::bigint`);
  return `exists (
    select from ticket_tags x
    join tags g on g.workspace_id = x.workspace_id and g.id = x.tag_id and g.deleted_at is null
    where x.workspace_id = $1 and x.ticket_id = t.id and g.workspace_id = $1 and ${isOneOf('x.tag_id', ids)})`;
}
