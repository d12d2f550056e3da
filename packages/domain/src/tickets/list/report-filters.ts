import { readChoice, readPeriod, type TicketFilter } from '@firmdesk/contract';
import type { Bind } from '../../platform/search/search-index.ts';
import { chosen, isOneOf, periodCondition } from './filter-conditions.ts';

/** A message `m` to the trader. */
const REPLY = `m.workspace_id = $1 and m.ticket_id = t.id and m.from_kind in ('admin', 'ai') and not m.internal
  and not m.streaming`;
const OF_TEAM = `m.from_kind = 'admin'`;
const OF_ASSISTANT = `m.from_kind = 'ai'`;

type Reported = Pick<
  TicketFilter,
  'replied' | 'replied_by' | 'macro' | 'article' | 'first_reply' | 'rated' | 'ended_by' | 'sla'
>;

/** Returns the filters of what reports count, as conditions on `tickets t`; null for each that is not set. */
export function reportConditions(filter: Reported, bind: Bind): (string | null)[] {
  return [
    ...replyConditions(filter, bind),
    firstReplyCondition(filter.first_reply, bind),
    filter.rated === undefined
      ? null
      : `exists (select from ticket_ratings r where r.workspace_id = $1 and r.ticket_id = t.id
          and ${periodCondition('r.rated_at', filter.rated, bind)})`,
    chosen(filter.ended_by, (values) =>
      anyOf(values.map((value) => (value === 'handover' ? ENDED_AFTER_HANDOVER : ENDED_BY_ASSISTANT))),
    ),
    chosen(filter.sla, (values) => anyOf(values.map(slaCondition))),
  ];
}

const anyOf = (conditions: readonly string[]) => `(${conditions.join(' or ')})`;

/** One reply has all that is chosen. None in the period has what is excluded. */
function replyConditions({ replied, replied_by, macro, article }: Reported, bind: Bind): (string | null)[] {
  const period = periodCondition('m.created_at', replied, bind);
  const hasSource = (column: string) => (ids: readonly string[]) =>
    `${column} && array[${ids.map(bind).join(', ')}]::text[]`;
  const parts = [
    { text: replied_by, has: (values: readonly string[]) => authorCondition(values, bind) },
    { text: macro, has: (ids: readonly string[]) => `${OF_TEAM} and ${hasSource('m.macro_ids')(ids)}` },
    {
      text: article,
      has: (ids: readonly string[]) => `${OF_ASSISTANT} and ${hasSource('m.article_ids')(ids)}`,
    },
  ];
  const replies = (conditions: readonly string[]) =>
    `exists (select from ticket_messages m where ${[REPLY, ...(period ? [period] : []), ...conditions].join(' and ')})`;
  const included: string[] = [];
  const excluded: string[] = [];
  for (const { text, has } of parts) {
    const choice = readChoice(text);
    if (choice !== null) (choice.isExcluded ? excluded : included).push(`(${has(choice.values)})`);
  }
  return [
    period === null ? null : writtenSince(replied, bind),
    period === null && included.length === 0 ? null : replies(included),
    ...excluded.map((condition) => `not ${replies([condition])}`),
  ];
}

function authorCondition(values: readonly string[], bind: Bind): string {
  const agents = values.filter((value) => value !== 'team' && value !== 'assistant');
  return anyOf([
    ...(values.includes('team') ? [OF_TEAM] : []),
    ...(values.includes('assistant') ? [OF_ASSISTANT] : []),
    ...(agents.length > 0 ? [`${OF_TEAM} and ${isOneOf('m.author_id', agents.map(bind))}`] : []),
  ]);
}

/** A reply is not later than the last message: so tickets without one since are not looked into. */
function writtenSince(period: string | undefined, bind: Bind): string {
  const [from] = readPeriod(period ?? '')!;
  return `t.last_message_at >= ${bind(new Date(from).toISOString())}::timestamptz`;
}

function firstReplyCondition(text: string | undefined, bind: Bind): string | null {
  if (text === undefined) return null;
  const first = `(select m.created_at from ticket_messages m where ${REPLY} and ${OF_TEAM}
    order by m.created_at, m.id limit 1)`;
  return `(${writtenSince(text, bind)} and ${periodCondition(first, text, bind)})`;
}

const has = (condition: string) =>
  `exists (select from ticket_messages m where m.workspace_id = $1 and m.ticket_id = t.id and ${condition})`;
const BY_ASSISTANT = has(`${OF_ASSISTANT} and not m.internal and not m.streaming`);
const BY_TEAM = has(`(${OF_TEAM} and not m.internal or m.event = 'ai_command')`);
const ENDED = 't.closed_at is not null and t.merged_into is null';
const ENDED_BY_ASSISTANT = `(${ENDED} and ${BY_ASSISTANT} and not ${BY_TEAM})`;
const ENDED_AFTER_HANDOVER = `(${ENDED} and ${BY_ASSISTANT} and ${BY_TEAM})`;

/** The target of the ticket's priority, in seconds; null without one. */
const targetOf = (name: 'first_response' | 'resolution') =>
  `(select (w.sla_policy -> 'targets' -> t.priority ->> '${name}_minutes')::integer * 60 from workspaces w where w.id = $1)`;

function slaCondition(result: string): string {
  const is = result.endsWith('_met') ? '<=' : '>';
  // A ticket that never awaited the team has nothing to meet.
  return result.startsWith('resolution')
    ? `(${ENDED} and t.waited_seconds > 0 and t.waited_seconds ${is} ${targetOf('resolution')})`
    : `t.first_response_seconds ${is} ${targetOf('first_response')}`;
}
