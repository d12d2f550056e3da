import type { MessageAuthor, TicketMessage, TicketPriority, TicketStatus } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { notifyTeam } from './notify-team.ts';
import { publishMessage, publishTicket } from './publish.ts';
import { messageSearchText } from './search-text.ts';
import { isEnded } from './status.ts';
import { MESSAGE_COLUMNS, toTicketMessage } from './ticket-message-row.ts';

/*
 * Every change to a ticket and its conversation passes here, under the ticket's lock: what the ticket shows of its messages
 * moves with them, and viewers and the team are told in the same transaction.
 */

/** A ticket as those see it who change it. */
export interface TicketState {
  id: string;
  workspace_id: number;
  number: string;
  subject: string;
  trader_id: string;
  status: TicketStatus;
  priority: TicketPriority;
  ai_enabled: boolean;
  ai_blocked: boolean;
  assignee_id: string | null;
  team_id: number | null;
  last_from: MessageAuthor | null;
  last_message_at: string;
}

export type TicketChange = Partial<
  Pick<TicketState, 'status' | 'priority' | 'ai_enabled' | 'ai_blocked' | 'assignee_id' | 'team_id'>
>;

const STATE_COLUMNS = [
  'id',
  'workspace_id',
  'number',
  'subject',
  'trader_id',
  'status',
  'priority',
  'ai_enabled',
  'ai_blocked',
  'assignee_id',
  'team_id',
  'last_from',
  'last_message_at',
] as const;

/** Locks a ticket of the firm until the transaction ends. Raises `resource_not_found`. */
export async function lockTicket(
  { em }: OperationContext,
  workspaceId: number,
  id: string,
): Promise<TicketState> {
  const ticket = await sqlOf(em)
    .selectFrom('tickets')
    .select(STATE_COLUMNS)
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!ticket) throw new ApiError('resource_not_found');
  return ticket;
}

export interface NewTicket {
  workspaceId: number;
  traderId: string;
  subject: string;
  /** What a search finds of it beside its messages; folded. */
  searchText: string;
  status: TicketStatus;
  priority: TicketPriority;
  aiEnabled: boolean;
}

/** Ids drawn for one ticket at most. Of a million tickets, one in a thousand draws hits a number that is taken. */
const MAX_ID_ATTEMPTS = 20;

/** Adds a ticket. The number in its id's end is unique in the firm: one that is taken already is drawn again. */
export async function insertTicket(ctx: OperationContext, ticket: NewTicket): Promise<TicketState> {
  for (let draw = 0; draw < MAX_ID_ATTEMPTS; draw++) {
    const inserted = await sqlOf(ctx.em)
      .insertInto('tickets')
      .values({
        id: newId('ticket', ctx.now),
        workspace_id: ticket.workspaceId,
        trader_id: ticket.traderId,
        subject: ticket.subject,
        status: ticket.status,
        priority: ticket.priority,
        ai_enabled: ticket.aiEnabled,
        ai_blocked: false,
        unread: 0,
        last_message_at: ctx.now,
        trader_wrote_at: ctx.now,
        created_at: ctx.now,
        search_text: ticket.searchText,
      })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'number']).doNothing())
      .returning(STATE_COLUMNS)
      .executeTakeFirst();
    if (!inserted) continue;
    if (inserted.status === 'awaiting_admin') await notifyTeam(ctx, inserted, null);
    return inserted;
  }
  throw new Error(`${MAX_ID_ATTEMPTS} ticket numbers were all taken.`);
}

/**
 * Changes a locked ticket. `by`: the agent who does it, who is not told of it. A change that changes nothing is none.
 * Returns the ticket as it then is.
 */
export async function changeTicket(
  ctx: OperationContext,
  ticket: TicketState,
  change: TicketChange,
  by: string | null = null,
): Promise<TicketState> {
  const fields = Object.keys(change) as (keyof TicketChange)[];
  if (fields.every((field) => change[field] === ticket[field])) return ticket;
  return update(ctx, ticket, change, by);
}

export interface NewMessage {
  from: MessageAuthor;
  /** Null for who has no account: assistant and system. */
  authorId: string | null;
  author: string;
  body: string;
  imageUrl?: string | null;
  imageName?: string | null;
  internal?: boolean;
  /** A reply under way: the team sees it from its start, the trader once it is settled. */
  streaming?: boolean;
  viaEmail?: boolean;
  event?: string | null;
}

/** Adds a message to a locked ticket's conversation, and changes the ticket with it. */
export async function addMessage(
  ctx: OperationContext,
  ticket: TicketState,
  message: NewMessage,
  change: TicketChange = {},
): Promise<{ ticket: TicketState; message: TicketMessage }> {
  const at = await nextMoment(ctx, ticket);
  const row = await sqlOf(ctx.em)
    .insertInto('ticket_messages')
    .values({
      id: newId('ticketMessage', at),
      ticket_id: ticket.id,
      workspace_id: ticket.workspace_id,
      from_kind: message.from,
      author_id: message.authorId,
      author: message.author,
      body: message.body,
      image_url: message.imageUrl ?? null,
      image_name: message.imageName ?? null,
      internal: message.internal ?? false,
      streaming: message.streaming ?? false,
      via_email: message.viaEmail ?? false,
      event: message.event ?? null,
      created_at: at,
      search_text: messageSearchText(message.body),
    })
    .returning(MESSAGE_COLUMNS)
    .executeTakeFirstOrThrow();
  const added = toTicketMessage(row);
  await publishMessage(ctx, 'message.created', ticket.workspace_id, added);
  const after =
    message.internal || message.streaming
      ? await changeTicket(ctx, ticket, change, message.authorId)
      : await update(ctx, ticket, change, message.authorId, { from: message.from, at });
  return { ticket: after, message: added };
}

/** Makes a reply that was under way what it is to be for good, from this moment, and changes the locked ticket with it. */
export async function finishReply(
  ctx: OperationContext,
  ticket: TicketState,
  messageId: string,
  message: Pick<NewMessage, 'from' | 'author' | 'body' | 'internal' | 'event'>,
  change: TicketChange = {},
): Promise<TicketState> {
  const at = await nextMoment(ctx, ticket);
  const row = await sqlOf(ctx.em)
    .updateTable('ticket_messages')
    .set({
      from_kind: message.from,
      author: message.author,
      body: message.body,
      internal: message.internal ?? false,
      streaming: false,
      event: message.event ?? null,
      created_at: at,
      search_text: messageSearchText(message.body),
    })
    .where('id', '=', messageId)
    .returning(MESSAGE_COLUMNS)
    .executeTakeFirstOrThrow();
  await publishMessage(ctx, 'message.updated', ticket.workspace_id, toTicketMessage(row));
  return message.internal
    ? changeTicket(ctx, ticket, change)
    : update(ctx, ticket, change, null, { from: message.from, at });
}

/** Moves a reply under way to the end of a locked ticket's conversation. */
export async function moveReplyToEnd(
  ctx: OperationContext,
  ticket: TicketState,
  messageId: string,
): Promise<void> {
  const row = await sqlOf(ctx.em)
    .updateTable('ticket_messages')
    .set({ created_at: await nextMoment(ctx, ticket) })
    .where('id', '=', messageId)
    .returning(MESSAGE_COLUMNS)
    .executeTakeFirstOrThrow();
  await publishMessage(ctx, 'message.updated', ticket.workspace_id, toTicketMessage(row));
}

/** Makes these the ticket's tags. */
export async function replaceTags(
  ctx: OperationContext,
  ticket: TicketState,
  tagIds: readonly number[],
): Promise<void> {
  const db = sqlOf(ctx.em);
  await db.deleteFrom('ticket_tags').where('ticket_id', '=', ticket.id).execute();
  if (tagIds.length > 0) {
    await db
      .insertInto('ticket_tags')
      .values(tagIds.map((tagId) => ({ ticket_id: ticket.id, tag_id: tagId })))
      .execute();
  }
  await publishTicket(ctx, ticket.workspace_id, ticket.id);
}

/** Marks what trader and assistant wrote as read by the team. */
export async function markMessagesRead(ctx: OperationContext, ticket: TicketState): Promise<void> {
  const read = await sqlOf(ctx.em)
    .updateTable('ticket_messages')
    .set({ read_at: ctx.now })
    .where('ticket_id', '=', ticket.id)
    .where('read_at', 'is', null)
    .where('internal', '=', false)
    .where('streaming', '=', false)
    .where(sql<boolean>`from_kind in ('trader', 'ai')`)
    .returning('id')
    .execute();
  const { numUpdatedRows } = await sqlOf(ctx.em)
    .updateTable('tickets')
    .set({ unread: 0 })
    .where('id', '=', ticket.id)
    .where('unread', '>', 0)
    .executeTakeFirstOrThrow();
  if (read.length === 0 && numUpdatedRows === 0n) return;
  await publishTicket(ctx, ticket.workspace_id, ticket.id);
}

/**
 * Writes a change, and what a message that the trader sees brings with it (contract §2.5): who wrote last and when, since
 * when the trader waits, what the team has not read.
 */
async function update(
  ctx: OperationContext,
  ticket: TicketState,
  change: TicketChange,
  by: string | null,
  visible?: { from: MessageAuthor; at: Date },
): Promise<TicketState> {
  const changed = await sqlOf(ctx.em)
    .updateTable('tickets')
    .set({
      ...change,
      ...(change.status &&
        isEnded(change.status) && { closed_at: notBefore(ctx.now, ticket.last_message_at) }),
      ...(visible && { last_from: visible.from, last_message_at: visible.at }),
      ...(visible?.from === 'trader' && { trader_wrote_at: visible.at }),
      ...((visible?.from === 'trader' || visible?.from === 'ai') && { unread: sql<number>`unread + 1` }),
    })
    .where('id', '=', ticket.id)
    .returning(STATE_COLUMNS)
    .executeTakeFirstOrThrow();
  await publishTicket(ctx, ticket.workspace_id, ticket.id);
  if (changed.status === 'awaiting_admin' && ticket.status !== 'awaiting_admin') {
    await notifyTeam(ctx, changed, by);
  }
  return changed;
}

/**
 * When a message is written: a conversation is in the order in which its messages took the lock, whatever the clocks of
 * their writers said, and no two are of one moment.
 */
async function nextMoment({ em, now }: OperationContext, { id }: TicketState): Promise<Date> {
  const last = await sqlOf(em)
    .selectFrom('ticket_messages')
    .select('created_at')
    .where('ticket_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? notBefore(now, last.created_at, 1) : now;
}

function notBefore(now: Date, moment: string, milliseconds = 0): Date {
  return new Date(Math.max(now.getTime(), Date.parse(moment) + milliseconds));
}
