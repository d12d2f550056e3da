import type { Attachment, LostRight, MessageAuthor, ReplyActions } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { lostRight } from '../access/lost-right.ts';
import { firmIdOf, IS_AGENT } from '../access/policy.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import {
  clockAfter,
  type DueTimes,
  STATE_COLUMNS,
  type StoredSlaPolicy,
  type TicketClock,
  waitedSeconds,
} from '../sla/index.ts';
import { hasWebhooks } from '../webhooks/index.ts';
import type { TicketAutomation } from './automation/ticket-automation.ts';
import { isEnded } from './changes/status.ts';
import type { PendingRun } from './messages/pending-run.ts';
import { MESSAGE_COLUMNS, type MessageRow, toTicketMessage } from './messages/ticket-message-row.ts';
import { selectTicketRows, TICKET_COLUMNS, type TicketRow } from './ticket-row.ts';

/** A ticket under its lock: what responses contain, and what changes depend on. */
export interface TicketState extends TicketRow, TicketClock, DueTimes {
  workspace_id: number;
  /** The SLA policy of the firm; null if it has set none. */
  sla_policy: StoredSlaPolicy | null;
  /** What changes of the firm's tickets start; null for nothing. */
  automation: TicketAutomation | null;
  /** The date of the last message, also of one that the trader does not see; null without messages. */
  last_written_at: string | null;
  /** Whether anybody has a draft on the ticket. Saving one takes the ticket's lock. */
  has_drafts: boolean;
  /** Whether the firm has an endpoint to which events are sent. */
  has_webhooks: boolean;
  /** Whether a message of the ticket came by mail. */
  is_by_mail: boolean;
  /** The replies of the assistant that wait or are being written, oldest first. */
  pending_runs: readonly PendingRun[];
  /** The ids of the agents who follow the ticket. */
  followers: readonly string[];
}

type LockedTicket = Pick<TicketState, 'workspace_id' | 'id' | 'number' | 'trader_id' | 'merged_into'>;

/** What a new message depends on: its ticket, under the ticket's lock. */
export type Conversation = LockedTicket &
  Pick<TicketState, 'last_written_at' | 'has_drafts' | 'has_webhooks'>;

/** The columns that a change sets. The assignee and the team come with their names. */
export type TicketChange = Partial<
  Pick<
    TicketState,
    | 'status'
    | 'priority'
    | 'ai_enabled'
    | 'ai_blocked'
    | 'unread'
    | 'last_from'
    | 'last_message_at'
    | 'merged_into'
    | 'snoozed_at'
    | 'snoozed_until'
    | 'woken_at'
    | 'assignee_id'
    | 'assignee_name'
    | 'assignee_avatar'
    | 'team_id'
    | 'team_name'
    | keyof TicketClock
  >
>;

/** A new message that the trader can see. */
export interface VisibleMessage {
  from: MessageAuthor;
  at: Date;
}

type Fragment = RawBuilder<unknown>;

/** A firm's ticket, as SQL expressions. */
interface TicketKey {
  firm: Fragment;
  id: Fragment;
}

function keyOf(workspaceId: number, id: string): TicketKey {
  return { firm: sql`${workspaceId}::integer`, id: sql`${id}` };
}

/** The columns of a {@link Conversation} beside those of its ticket. */
const written = ({ firm, id }: TicketKey) => sql`
    (select max(created_at) from ticket_messages where workspace_id = ${firm} and ticket_id = ${id}) as last_written_at,
    exists (select from reply_drafts where workspace_id = ${firm} and ticket_id = ${id}) as has_drafts,
    ${hasWebhooks(firm)} as has_webhooks`;

/** The columns of a {@link TicketState} beside those of its ticket. */
const summary = (key: TicketKey) => sql`${written(key)},
    exists (select from mail_messages where workspace_id = ${key.firm} and about_ticket = ${key.id}) as is_by_mail,
    coalesce((
      select json_agg(json_build_object('id', id::text, 'workspace_id', workspace_id, 'ticket_id', ticket_id, 'kind', kind,
        'state', state, 'allowed', allowed, 'attempt', attempt, 'message_id', message_id, 'status_before', status_before,
        'last_message_at', to_char(last_message_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'replaced_answer', replaced_answer) order by id)
      from assistant_runs where workspace_id = ${key.firm} and ticket_id = ${key.id} and ended_at is null), '[]') as pending_runs,
    coalesce((
      select json_agg(f.user_id order by f.user_id) from ticket_followers f
      join memberships m on m.workspace_id = ${firmIdOf(key.firm)} and m.user_id = f.user_id join users u on u.id = m.user_id
      where f.workspace_id = ${key.firm} and f.ticket_id = ${key.id} and ${sql.raw(IS_AGENT)}), '[]') as followers`;

/** Columns of a {@link TicketState} that the ticket and its firm have. */
const CHOSEN_COLUMNS = [...STATE_COLUMNS, 'workspace_id', 'sla_policy', 'automation'];

/** What a {@link TicketState} is read from. Lists its columns, so that the statement is prepared. */
const CHOSEN = sql.raw(
  [...TICKET_COLUMNS, ...STATE_COLUMNS, 'workspace_id', 'trader_id', 'assignee_id', 'team_id']
    .map((column) => `t.${column}`)
    .join(', '),
);

/** Returns the statement that reads tickets: `which` is a condition on `t`, and `columns` are added to their own. */
function selectStates(firm: Fragment, which: Fragment, columns: Fragment): Fragment {
  const chosen = sql`
    select ${CHOSEN}, w.sla_policy, w.ticket_automation as automation
    from tickets t join workspaces w on w.id = ${firm} where t.workspace_id = ${firm} and ${which}`;
  return selectTicketRows({ firm, chosen, more: CHOSEN_COLUMNS, columns });
}

/** Returns the statement that reads one ticket. */
function selectState(key: TicketKey, columns: Fragment = summary(key)): Fragment {
  return selectStates(key.firm, sql`t.id = ${key.id}`, columns);
}

/** The messages of a ticket that an author must have seen before they write: without the author's and those of the system. */
const byOthersThan = (author: Fragment, { firm, id }: TicketKey) => sql`
  from ticket_messages where workspace_id = ${firm} and ticket_id = ${id} and from_kind <> 'system'
    and author_id is distinct from ${author}`;

/** A reply that its author can still take back. */
export interface DelayedSendRow {
  id: string;
  author_id: string;
  author: string;
  body: string;
  body_html: string | null;
  image_url: string | null;
  image_name: string | null;
  attachments: Attachment[];
  actions: ReplyActions | null;
  macro_ids: string[] | null;
  created_at: string;
  /** Whether others have written since what the author had seen. Replies that are sent together do not overtake each other. */
  is_overtaken: boolean;
  /** Why the author may no longer answer; null if they may. */
  lost_right: LostRight | null;
}

/** The copied name, until the account is erased: an erasure reaches delayed sends in another way too late. */
const AUTHOR_OF_DELAYED = `coalesce((select a.name from users a where a.id = r.author_id and a.deleted_at is not null), author)`;

const delayedSends = (key: TicketKey) => sql`coalesce((
    select json_agg(json_build_object('id', id, 'author_id', author_id, 'author', ${sql.raw(AUTHOR_OF_DELAYED)}, 'body', body, 'body_html', body_html,
      'image_url', image_url, 'image_name', image_name, 'attachments', attachments, 'actions', actions, 'macro_ids', macro_ids,
      'created_at', created_at,
      'is_overtaken', exists (select ${byOthersThan(sql`r.author_id`, key)} and created_at > r.seen_through),
      'lost_right', ${sql.raw(lostRight('r.author_id', 'r.workspace_id'))}) order by created_at, id)
    from delayed_sends r where workspace_id = ${key.firm} and ticket_id = ${key.id}), '[]') as delayed_sends`;

/** At most this many messages are returned with `newer_messages`: the newest ones. */
const MAX_UNSEEN = 20;

/** Locks and returns a ticket of the firm. The lock lasts until the transaction ends. Throws `resource_not_found`. */
export function lockTicket(ctx: OperationContext, workspaceId: number, id: string): Promise<TicketState> {
  return lockAndRead(ctx, workspaceId, id, selectState(keyOf(workspaceId, id)));
}

/** Locks and returns a ticket of the firm, with its delayed sends. Throws `resource_not_found`. */
export async function lockTicketWithDelayed(
  ctx: OperationContext,
  workspaceId: number,
  id: string,
): Promise<{ ticket: TicketState; delayed: DelayedSendRow[] }> {
  const key = keyOf(workspaceId, id);
  const { delayed_sends: delayed, ...ticket } = await lockAndRead<
    TicketState & { delayed_sends: DelayedSendRow[] }
  >(ctx, workspaceId, id, selectState(key, sql`${delayedSends(key)}, ${summary(key)}`));
  return { ticket, delayed };
}

/**
 * Locks tickets of the firm in the order of their ids, so that two callers wait for each other at most. Returns those that exist, with the
 * their delayed sends.
 */
export async function lockTickets(
  { db }: OperationContext,
  workspaceId: number,
  ids: readonly string[],
): Promise<{ ticket: TicketState; delayed: DelayedSendRow[] }[]> {
  await sql`select from tickets where workspace_id = ${workspaceId} and id = any(${ids}::text[])
    order by id for no key update`.execute(db);
  const key: TicketKey = { firm: sql`${workspaceId}::integer`, id: sql`t.id` };
  const { rows } = await sql<TicketState & { delayed_sends: DelayedSendRow[] }>`
    ${selectStates(key.firm, sql`t.id = any(${ids}::text[])`, sql`${delayedSends(key)}, ${summary(key)}`)}`.execute(
    db,
  );
  return rows.map(({ delayed_sends: delayed, ...ticket }) => ({ ticket, delayed }));
}

/**
 * Locks and returns a ticket of the firm's member with an email address. Throws `resource_not_found` for any other ticket.
 */
export function lockTicketOfTrader(
  ctx: OperationContext,
  workspaceId: number,
  id: string,
  email: string,
): Promise<TicketState> {
  const key = keyOf(workspaceId, id);
  return lockAndRead(
    ctx,
    workspaceId,
    id,
    sql`${selectState(key)} where lower(u.email) = lower(${email}) and u.deleted_at is null and exists (
      select from memberships where workspace_id = ${firmIdOf(key.firm)} and user_id = t.trader_id)`,
  );
}

/**
 * Locks and returns a ticket that an account writes on. Throws `newer_messages` with the messages if others have written since
 * the last one that the author has seen; `resource_not_found`; `ticket_ended` if it was merged; `validation_failed` if the seen message is of another ticket.
 *
 * @param seen null if there was no message; undefined to write in any case
 */
export function lockTicketAsSeen(
  ctx: AccountContext,
  id: string,
  seen: string | null | undefined,
): Promise<TicketState> {
  return lockAsSeen(ctx, id, seen, (key, seenColumns) =>
    selectState(key, sql`${summary(key)}${seenColumns}`),
  );
}

/** Locks a ticket as {@link lockTicketAsSeen} does, for a message that changes nothing of it: reads less. */
export function lockConversationAsSeen(
  ctx: AccountContext,
  id: string,
  seen: string | null | undefined,
): Promise<Conversation> {
  return lockAsSeen(ctx, id, seen, (key, seenColumns) => sql`select ${written(key)}${seenColumns}`);
}

/** `select` returns the statement that reads the ticket, with more columns. */
async function lockAsSeen<State extends Conversation>(
  ctx: AccountContext,
  id: string,
  seen: string | null | undefined,
  select: (key: TicketKey, moreColumns: Fragment) => Fragment,
): Promise<State> {
  const { workspace, identity } = ctx;
  const key = keyOf(workspace.id, id);
  if (seen === undefined) return lockAndRead<State>(ctx, workspace.id, id, select(key, sql``));
  const seenMessage = sql`
    from ticket_messages where workspace_id = ${key.firm} and ticket_id = ${key.id} and id = ${seen}`;
  const unseen = sql`${byOthersThan(sql`${identity.user.id}`, key)}
    and (${seen}::text is null or created_at > (select created_at ${seenMessage}))`;
  const seenColumns = sql`, exists (select ${unseen}) as has_unseen,
    ${seen}::text is null or exists (select ${seenMessage}) as is_seen_known`;
  const { has_unseen, is_seen_known, ...ticket } = await lockAndRead<
    State & { has_unseen: boolean; is_seen_known: boolean }
  >(ctx, workspace.id, id, select(key, seenColumns));
  // A merged ticket has no messages: they were moved to the other ticket.
  if ((ticket as unknown as State).merged_into !== null) throw new ApiError('ticket_ended');
  if (!is_seen_known) throw invalidField('seen_message_id', 'must be the id of a message of this ticket');
  if (!has_unseen) return ticket as unknown as State;
  const { rows } = await sql<MessageRow>`
    select ${sql.raw(MESSAGE_COLUMNS.join(', '))} ${unseen}
    order by created_at desc limit ${MAX_UNSEEN}`.execute(ctx.db);
  throw new ApiError('newer_messages', { details: { messages: rows.reverse().map(toTicketMessage) } });
}

/**
 * Locks a ticket, then reads its state. The lock returns the ticket as it is after waiting for others, but a single statement would read
 * the other tables as they were before.
 */
async function lockAndRead<State extends Conversation>(
  { db }: OperationContext,
  workspaceId: number,
  id: string,
  state: Fragment,
): Promise<State> {
  const { rows: locked } = await sql<LockedTicket>`
    select workspace_id, id, number, trader_id, merged_into from tickets where workspace_id = ${workspaceId} and id = ${id}
    for no key update`.execute(db);
  if (!locked[0]) throw new ApiError('resource_not_found');
  const { rows } = await sql<State>`${state}`.execute(db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  return Object.assign(rows[0], locked[0]);
}

export const NOT_SNOOZED = { snoozed_at: null, snoozed_until: null } as const;

/**
 * Returns the ticket after a change, with its clock. `visible` also updates what the ticket shows of its messages (contract §2.5).
 */
export function afterChange(
  now: Date,
  ticket: TicketState,
  change: TicketChange,
  visible?: VisibleMessage,
): TicketState {
  const after = { ...ticket, ...change };
  if (change.status && isEnded(change.status)) {
    after.closed_at = notBefore(now, ticket.last_message_at).toISOString();
    Object.assign(after, NOT_SNOOZED, { woken_at: null });
  } else if (change.status) after.closed_at = null;
  if (visible) {
    after.last_from = visible.from;
    after.last_message_at = visible.at.toISOString();
    if (visible.from === 'trader' || visible.from === 'ai') after.unread++;
    if (visible.from === 'admin') {
      after.woken_at = null;
      if (after.first_responded_at === null) {
        after.first_responded_at = visible.at.toISOString();
        after.first_response_seconds = waitedSeconds(now, ticket);
      }
    }
    if (visible.from === 'trader' && ticket.snoozed_at !== null)
      Object.assign(after, NOT_SNOOZED, { woken_at: visible.at.toISOString() });
  }
  return Object.assign(after, clockAfter(now, after, ticket));
}

/** Returns whether a change sets a column to another value. */
export function isChange(ticket: TicketState, change: TicketChange): boolean {
  return (Object.keys(change) as (keyof TicketChange)[]).some((field) => change[field] !== ticket[field]);
}

/**
 * Returns the date of a new message: now, but at least a millisecond after the ticket's last message. So messages sort in
 * the order in which they were stored, even if the clocks of the processes differ.
 */
export function nextMessageDate(now: Date, { last_written_at }: Conversation): Date {
  return last_written_at === null ? now : notBefore(now, last_written_at, 1);
}

/** Returns `now`, or `moment` plus `milliseconds` if that is later. */
function notBefore(now: Date, moment: string, milliseconds = 0): Date {
  return new Date(Math.max(now.getTime(), Date.parse(moment) + milliseconds));
}
