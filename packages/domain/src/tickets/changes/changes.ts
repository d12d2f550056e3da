import type { Attachment, MessageAuthor, Ticket, TicketMessage } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { executeWrites } from '../../platform/database/execute-writes.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { newId } from '../../platform/process/ids.ts';
import { isSameClock } from '../../sla/index.ts';
import { automationWrites } from '../automation/automation-writes.ts';
import { notifyTeam } from '../messages/notify-team.ts';
import { type MessageRow, toTicketMessage } from '../messages/ticket-message-row.ts';
import { messageSearchText } from '../search/search-text.ts';
import {
  messageEvent,
  publishWrites,
  refetchEvent,
  type TicketEvent,
  ticketEvent,
} from '../streams/publish.ts';
import {
  afterChange,
  type Conversation,
  isChange,
  nextMessageDate,
  type TicketChange,
  type TicketState,
  type VisibleMessage,
} from '../ticket-state.ts';
import { notifyFollowers } from './followers.ts';
import { type TrackedProperties, ticketChangeWrites } from './history.ts';

/*
 * All changes of a ticket and its messages, under the ticket's lock; only search texts are also updated elsewhere. Each change
 * updates the columns of the ticket that summarize its messages, records the change in the ticket's history, publishes to viewers and
 * notifies the team, in one transaction. What is written is computed from the locked ticket, so one statement writes it (`executeWrites`).
 */

/**
 * Changes a locked ticket and returns it. No-op changes are ignored. `by` is the account that makes the change, and is not
 * notified of it. Without `notifies` the others are not notified either.
 */
export async function changeTicket(
  ctx: OperationContext,
  ticket: TicketState,
  change: TicketChange,
  by: string | null = null,
  { notifies = true } = {},
): Promise<TicketState> {
  return isChange(ticket, change) ? writeChange(ctx, ticket, change, { by, notifies }) : ticket;
}

/** The author of the assistant's messages. */
export const ASSISTANT = 'Assistant';

export interface NewMessage {
  /** A new one by default. */
  id?: string;
  from: MessageAuthor;
  /** Null for the assistant and the system, which have no account. */
  authorId: string | null;
  author: string;
  body: string;
  /** The body with formatting, cleaned; null without. */
  bodyHtml?: string | null;
  imageUrl?: string | null;
  imageName?: string | null;
  attachments?: readonly Attachment[];
  internal?: boolean;
  /** The message is still being written: only the team sees it until {@link finishReply}. */
  streaming?: boolean;
  viaEmail?: boolean;
  event?: string | null;
  /** The ids of the colleagues whom a note mentions. */
  mentions?: readonly string[];
  /** The macros from which a reply was written. */
  macroIds?: readonly string[];
  /** The articles on which a reply of the assistant is based. */
  articleIds?: readonly string[];
}

/** Adds a message to a locked ticket and changes the ticket. With `isRead`, the team has read the messages of the others. */
export async function addMessage(
  ctx: OperationContext,
  ticket: TicketState,
  message: NewMessage,
  change: TicketChange = {},
  { isRead = false } = {},
): Promise<{ ticket: TicketState; message: TicketMessage }> {
  const { added, at, write } = newMessage(ctx, ticket, message);
  const isVisible = !message.internal && !message.streaming;
  const after = await writeChange(ctx, ticket, change, {
    by: message.authorId,
    message: { event: 'message.created', added, at, write },
    visible: isVisible ? { from: message.from, at } : undefined,
    isRead,
  });
  return { ticket: after, message: added };
}

/** Adds a note, which changes nothing of its locked ticket. */
export async function addInternalMessage(
  ctx: OperationContext,
  conversation: Conversation,
  message: NewMessage,
): Promise<TicketMessage> {
  const { added, write } = newMessage(ctx, conversation, { ...message, internal: true });
  const event = messageEvent('message.created', added);
  await executeWrites(ctx.db, [write, ...publishWrites(ctx, conversation, [event])]);
  return added;
}

/** Returns a new message, and the write that inserts it. */
function newMessage(
  ctx: OperationContext,
  conversation: Conversation,
  message: NewMessage,
): { added: TicketMessage; at: Date; write: RawBuilder<unknown> } {
  const at = nextMessageDate(ctx.now, conversation);
  const row: MessageRow = {
    id: message.id ?? newId('ticketMessage', at),
    ticket_id: conversation.id,
    from_kind: message.from,
    author: message.author,
    body: message.body,
    body_html: message.bodyHtml ?? null,
    image_url: message.imageUrl ?? null,
    image_name: message.imageName ?? null,
    attachments: [...(message.attachments ?? [])],
    internal: message.internal ?? false,
    streaming: message.streaming ?? false,
    via_email: message.viaEmail ?? false,
    event: message.event ?? null,
    mentions: message.mentions?.length ? [...message.mentions] : null,
    read_at: null,
    created_at: at.toISOString(),
  };
  const write = sql`
    insert into ticket_messages (workspace_id, ticket_id, id, from_kind, author_id, author, body, body_html, image_url, image_name,
      attachments, internal, streaming, via_email, event, mentions, macro_ids, created_at, search_text)
    values (${conversation.workspace_id}, ${row.ticket_id}, ${row.id}, ${row.from_kind}, ${message.authorId}, ${row.author},
      ${row.body}, ${row.body_html}, ${row.image_url}, ${row.image_name}, ${JSON.stringify(row.attachments)}::jsonb, ${row.internal}, ${row.streaming}, ${row.via_email}, ${row.event},
      ${row.mentions}::text[], ${message.macroIds?.length ? [...message.macroIds] : null}::text[], ${row.created_at}, ${messageSearchText(message.body)})`;
  return { added: toTicketMessage(row), at, write };
}

/** Replaces a streaming reply with its final message, dated now, and changes the locked ticket. Returns the ticket. */
export async function finishReply(
  ctx: OperationContext,
  ticket: TicketState,
  messageId: string,
  message: Pick<NewMessage, 'from' | 'author' | 'body' | 'internal' | 'event' | 'articleIds'>,
  change: TicketChange = {},
): Promise<TicketState> {
  const at = nextMessageDate(ctx.now, ticket);
  const row: MessageRow = {
    ...assistantMessage(ticket, messageId, at),
    from_kind: message.from,
    author: message.author,
    body: message.body,
    internal: message.internal ?? false,
    event: message.event ?? null,
  };
  const write = sql`
    update ticket_messages set from_kind = ${row.from_kind}, author = ${row.author}, body = ${row.body},
      internal = ${row.internal}, streaming = ${row.streaming}, event = ${row.event},
      article_ids = ${message.articleIds?.length ? [...message.articleIds] : null}::text[], created_at = ${row.created_at},
      search_text = ${messageSearchText(row.body)}, search_pending = true
    where workspace_id = ${ticket.workspace_id} and id = ${messageId}`;
  const added = toTicketMessage(row);
  const after = await writeChange(ctx, ticket, change, {
    message: { event: 'message.updated', added, at, write },
    visible: message.internal ? undefined : { from: message.from, at },
  });
  if (!message.internal) await ctx.services.ticketMailer.sendReply(ctx, after, added);
  return after;
}

/**
 * Deletes messages of a locked ticket as if they had not been written, and changes the ticket. Its viewers load it again. Nobody is notified. Returns
 * the ticket.
 */
export async function deleteMessages(
  ctx: OperationContext,
  ticket: TicketState,
  ids: readonly string[],
  change: TicketChange,
): Promise<TicketState> {
  return writeChange(ctx, ticket, change, { deleted: ids, notifies: false });
}

/** Moves a streaming reply to the end of a locked ticket's conversation. */
export async function moveReplyToEnd(
  ctx: OperationContext,
  ticket: TicketState,
  messageId: string,
): Promise<void> {
  const row = {
    ...assistantMessage(ticket, messageId, nextMessageDate(ctx.now, ticket)),
    streaming: true,
  };
  await sql`
    update ticket_messages set created_at = ${row.created_at}
    where workspace_id = ${ticket.workspace_id} and id = ${messageId}`.execute(ctx.db);
  await appendEvents(ctx, ticket.workspace_id, [messageEvent('message.updated', toTicketMessage(row))]);
}

/** Returns the message of a reply of the assistant, without its text. */
function assistantMessage({ id }: TicketState, messageId: string, at: Date): MessageRow {
  return {
    id: messageId,
    ticket_id: id,
    from_kind: 'ai',
    author: ASSISTANT,
    body: '',
    body_html: null,
    image_url: null,
    image_name: null,
    attachments: [],
    internal: false,
    streaming: false,
    via_email: false,
    event: null,
    mentions: null,
    read_at: null,
    created_at: at.toISOString(),
  };
}

/** Replaces the ticket's tags, which are in the order of responses. Returns the ticket. */
export async function replaceTags(
  ctx: OperationContext,
  ticket: TicketState,
  tags: Ticket['tags'],
  by: string | null,
): Promise<TicketState> {
  const db = ctx.db;
  await sql`
    delete from ticket_tags
    where workspace_id = ${ticket.workspace_id} and ticket_id = ${ticket.id}`.execute(db);
  const rows = tags.map(({ id }) => sql`(${ticket.workspace_id}::integer, ${ticket.id}, ${id}::integer)`);
  const after = { ...ticket, tags };
  const idsOf = (some: Ticket['tags'] | null) => (some ?? []).map(({ id }) => id);
  const change = { ticket: ticket.id, before: { tags: idsOf(ticket.tags) }, after: { tags: idsOf(tags) } };
  await executeWrites(db, [
    ...(tags.length > 0
      ? [sql`insert into ticket_tags (workspace_id, ticket_id, tag_id) values ${sql.join(rows)}`]
      : []),
    ...ticketChangeWrites(ctx, ticket.workspace_id, by, change),
    ...automationWrites(ctx, ticket, after, { hasNewTags: true }),
    ...publishWrites(ctx, ticket, [ticketEvent(after)]),
  ]);
  return after;
}

/** Marks the messages of the trader and the assistant as read by the team. Returns the ticket. */
export async function markMessagesRead(ctx: OperationContext, ticket: TicketState): Promise<TicketState> {
  if (ticket.unread === 0) return ticket;
  return writeChange(ctx, ticket, { unread: 0 }, { isRead: true });
}

/** Returns the write that sets the date at which the team read the messages of the trader and the assistant. */
function readDatesWrite({ now }: OperationContext, ticket: TicketState): RawBuilder<unknown> {
  return sql`
    update ticket_messages set read_at = ${now.toISOString()}
    where workspace_id = ${ticket.workspace_id} and ticket_id = ${ticket.id} and read_at is null
      and not internal and not streaming and from_kind in ('trader', 'ai')`;
}

/**
 * Marks the latest message of the trader or the assistant as not read, if all are read. A ticket without such a message stays as it
 * is. Returns the ticket.
 */
export async function markMessagesUnread(ctx: OperationContext, ticket: TicketState): Promise<TicketState> {
  if (ticket.unread > 0) return ticket;
  const { rows } = await sql`
    update ticket_messages set read_at = null
    where workspace_id = ${ticket.workspace_id} and id = (
      select id from ticket_messages
      where workspace_id = ${ticket.workspace_id} and ticket_id = ${ticket.id} and not internal and not streaming
        and from_kind in ('trader', 'ai')
      order by created_at desc, id desc limit 1)
    returning id`.execute(ctx.db);
  return changeTicket(ctx, ticket, { unread: rows.length });
}

/**
 * Computes the due times of a locked ticket again after a change of the firm's targets. `firstRespondedAt` is the time of the team's
 * first reply, for a ticket that does not know it.
 */
export async function refreshDueTimes(
  ctx: OperationContext,
  ticket: TicketState,
  firstRespondedAt: string | null,
): Promise<void> {
  const first_responded_at = ticket.first_responded_at ?? firstRespondedAt;
  const after = afterChange(ctx.now, ticket, { first_responded_at });
  if (isSameClock(ticket, after)) return;
  await executeWrites(ctx.db, [
    ticketWrite(after),
    ...automationWrites(ctx, ticket, after),
    ...publishWrites(ctx, ticket, [ticketEvent(after)]),
  ]);
}

interface ChangeCause {
  by?: string | null;
  /** Whether the team is notified of a ticket that begins to wait for it. */
  notifies?: boolean;
  /** The message that is stored with the change. */
  message?: {
    event: 'message.created' | 'message.updated';
    added: TicketMessage;
    at: Date;
    write: RawBuilder<unknown>;
  };
  /** The ids of messages that are deleted with the change. */
  deleted?: readonly string[];
  /** Whether the team has read the messages of the trader and the assistant. */
  isRead?: boolean;
  visible?: VisibleMessage | undefined;
}

/** Stores a change of a locked ticket, publishes it after its message, and notifies the team. Returns the ticket. */
async function writeChange(
  ctx: OperationContext,
  ticket: TicketState,
  change: TicketChange,
  { by = null, notifies = true, message, deleted, isRead = false, visible }: ChangeCause,
): Promise<TicketState> {
  const after = afterChange(ctx.now, ticket, change, visible);
  if (message) after.last_written_at = message.at.toISOString();
  const events: TicketEvent[] = message ? [messageEvent(message.event, message.added)] : [];
  const writes = message ? [message.write] : [];
  if (deleted) {
    writes.push(sql`
      delete from ticket_messages
      where workspace_id = ${ticket.workspace_id} and ticket_id = ${ticket.id} and id = any(${deleted}::text[])`);
    events.push(refetchEvent(ticket.id));
  }
  if (isRead) writes.push(readDatesWrite(ctx, ticket));
  const isChanged = visible !== undefined || isChange(ticket, change);
  if (isChanged) {
    const recorded = { before: trackedIn(ticket), after: trackedIn(after), at: message?.at };
    const isCausedByMessage = message !== undefined || deleted !== undefined;
    writes.push(
      ticketWrite(after, visible),
      ...ticketChangeWrites(ctx, ticket.workspace_id, by, {
        ticket: ticket.id,
        ...recorded,
        isCausedByMessage,
      }),
      ...automationWrites(ctx, ticket, after, {
        traderMessage: visible?.from === 'trader' ? message?.added.id : undefined,
        isVisible: visible !== undefined,
      }),
    );
    events.push(ticketEvent(after));
  }
  if (events.length > 0) writes.push(...publishWrites(ctx, ticket, events));
  await executeWrites(ctx.db, writes);
  const notified: string[] = [];
  if (notifies && after.status === 'awaiting_admin' && ticket.status !== 'awaiting_admin') {
    // Mentioned colleagues are notified of the mention instead.
    notified.push(...(await notifyTeam(ctx, after, [by, ...(message?.added.mentions ?? [])])));
  }
  if (visible?.from === 'trader') await notifyFollowers(ctx, after, notified);
  return after;
}

/** Returns the properties that {@link ticketWrite} sets and the history records. */
function trackedIn(ticket: TicketState): Partial<TrackedProperties> {
  const { status, priority, assignee_id, team_id, ai_enabled, ai_blocked, merged_into } = ticket;
  const merged = merged_into !== null && { merged_into };
  return { status, priority, assignee_id, team_id, ai_enabled, ai_blocked, ...merged };
}

/** Returns the write that stores a changed ticket. */
function ticketWrite(t: TicketState, visible?: VisibleMessage): RawBuilder<unknown> {
  const traderWroteAt = visible?.from === 'trader' ? visible.at.toISOString() : null;
  return sql`
    update tickets set status = ${t.status}, priority = ${t.priority}, ai_enabled = ${t.ai_enabled},
      ai_blocked = ${t.ai_blocked}, assignee_id = ${t.assignee_id}, team_id = ${t.team_id}, unread = ${t.unread},
      last_from = ${t.last_from}, last_message_at = ${t.last_message_at}, closed_at = ${t.closed_at},
      merged_into = ${t.merged_into}, snoozed_at = ${t.snoozed_at}, snoozed_until = ${t.snoozed_until}, woken_at = ${t.woken_at},
      waiting_since = ${t.waiting_since}, waited_seconds = ${t.waited_seconds}, first_responded_at = ${t.first_responded_at},
      first_response_seconds = ${t.first_response_seconds},
      first_response_warned = ${t.first_response_warned}, resolution_warned = ${t.resolution_warned},
      first_response_due_at = ${t.first_response_due_at}, resolution_due_at = ${t.resolution_due_at},
      next_due_at = ${t.next_due_at}, due_warning_at = ${t.due_warning_at},
      trader_wrote_at = coalesce(${traderWroteAt}::timestamptz, trader_wrote_at)
    where workspace_id = ${t.workspace_id} and id = ${t.id}`;
}
