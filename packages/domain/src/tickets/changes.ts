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
 * All changes of a ticket and its messages, under the ticket's lock; only search texts are also updated elsewhere. Each change
 * updates the columns of the ticket that summarize its messages, publishes to viewers and notifies the team, in one
 * transaction.
 */

/** The columns of a ticket that changes depend on. */
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

/** The columns that a change sets. */
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

/** Locks and returns a ticket of the firm. The lock lasts until the transaction ends. Throws `resource_not_found`. */
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
  /** See `ticketSearchText`. */
  searchText: string;
  status: TicketStatus;
  priority: TicketPriority;
  aiEnabled: boolean;
}

/** In a firm with a million tickets, one new id in a thousand has a number that is already taken. */
const MAX_ID_ATTEMPTS = 20;

/** Inserts a ticket. The number at the end of its id is unique in the firm: if it is taken, another id is tried. */
export async function insertTicket(ctx: OperationContext, ticket: NewTicket): Promise<TicketState> {
  for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt++) {
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
  throw new Error(`Found no free ticket number in ${MAX_ID_ATTEMPTS} attempts.`);
}

/**
 * Changes a locked ticket and returns it. No-op changes are ignored. `by` is the account that makes the change, and is not
 * notified of it. `visible` is a new message that the trader can see: it also updates the last author and date,
 * `trader_wrote_at` and `unread` (contract §2.5).
 */
export async function changeTicket(
  ctx: OperationContext,
  ticket: TicketState,
  change: TicketChange,
  by: string | null = null,
  visible?: { from: MessageAuthor; at: Date },
): Promise<TicketState> {
  const fields = Object.keys(change) as (keyof TicketChange)[];
  if (!visible && fields.every((field) => change[field] === ticket[field])) return ticket;
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

export interface NewMessage {
  from: MessageAuthor;
  /** Null for the assistant and the system, which have no account. */
  authorId: string | null;
  author: string;
  body: string;
  imageUrl?: string | null;
  imageName?: string | null;
  internal?: boolean;
  /** The message is still being written: only the team sees it until {@link finishReply}. */
  streaming?: boolean;
  viaEmail?: boolean;
  event?: string | null;
}

/** Adds a message to a locked ticket and changes the ticket. */
export async function addMessage(
  ctx: OperationContext,
  ticket: TicketState,
  message: NewMessage,
  change: TicketChange = {},
): Promise<{ ticket: TicketState; message: TicketMessage }> {
  const at = await nextMessageDate(ctx, ticket);
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
  const isVisible = !message.internal && !message.streaming;
  const visible = isVisible ? { from: message.from, at } : undefined;
  const after = await changeTicket(ctx, ticket, change, message.authorId, visible);
  return { ticket: after, message: added };
}

/** Replaces a streaming reply with its final message, dated now, and changes the locked ticket. Returns the ticket. */
export async function finishReply(
  ctx: OperationContext,
  ticket: TicketState,
  messageId: string,
  message: Pick<NewMessage, 'from' | 'author' | 'body' | 'internal' | 'event'>,
  change: TicketChange = {},
): Promise<TicketState> {
  const at = await nextMessageDate(ctx, ticket);
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
  return changeTicket(ctx, ticket, change, null, message.internal ? undefined : { from: message.from, at });
}

/** Moves a streaming reply to the end of a locked ticket's conversation. */
export async function moveReplyToEnd(
  ctx: OperationContext,
  ticket: TicketState,
  messageId: string,
): Promise<void> {
  const row = await sqlOf(ctx.em)
    .updateTable('ticket_messages')
    .set({ created_at: await nextMessageDate(ctx, ticket) })
    .where('id', '=', messageId)
    .returning(MESSAGE_COLUMNS)
    .executeTakeFirstOrThrow();
  await publishMessage(ctx, 'message.updated', ticket.workspace_id, toTicketMessage(row));
}

/** Replaces the ticket's tags. */
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

/** Marks the messages of the trader and the assistant as read by the team. */
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
 * Returns the date of a new message: now, but at least a millisecond after the ticket's last message. So messages sort in
 * the order in which they were stored, even if the clocks of the processes differ.
 */
async function nextMessageDate({ em, now }: OperationContext, { id }: TicketState): Promise<Date> {
  const last = await sqlOf(em)
    .selectFrom('ticket_messages')
    .select('created_at')
    .where('ticket_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? notBefore(now, last.created_at, 1) : now;
}

/** Returns `now`, or `moment` plus `milliseconds` if that is later. */
function notBefore(now: Date, moment: string, milliseconds = 0): Date {
  return new Date(Math.max(now.getTime(), Date.parse(moment) + milliseconds));
}
