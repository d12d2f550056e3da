import type { MessageAuthor, TicketMessage, TicketStatus } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { newId } from '../kernel/ids.ts';
import { tellMessage, tellTicket } from '../live/tell.ts';
import { fold } from '../tickets/fold.ts';

interface NewMessage {
  from: MessageAuthor;
  authorId: string | null;
  author: string;
  body: string;
  internal: boolean;
  event: string | null;
  streaming?: boolean;
}

const COLUMNS = sql`id, ticket_id, from_kind, author, body, image_url, image_name, internal, streaming, via_email, event,
  read_at, created_at`;

interface MessageRow extends Omit<TicketMessage, 'object' | 'from'> {
  from_kind: MessageAuthor;
}

function messageOf({ from_kind, ...row }: MessageRow): TicketMessage {
  return {
    object: 'ticket_message',
    id: row.id,
    ticket_id: row.ticket_id,
    from: from_kind,
    author: row.author,
    body: row.body,
    image_url: row.image_url,
    image_name: row.image_name,
    internal: row.internal,
    streaming: row.streaming,
    via_email: row.via_email,
    event: row.event,
    read_at: row.read_at,
    created_at: row.created_at,
  };
}

/** Adds to a ticket's conversation, under the ticket's lock. */
export async function addMessage(
  ctx: VerbContext,
  ticket: { id: string; workspace_id: number },
  message: NewMessage,
): Promise<TicketMessage> {
  const { rows } = await sql<MessageRow>`
    insert into ticket_messages (id, ticket_id, workspace_id, from_kind, author_id, author, body, internal, streaming,
      event, created_at, search_text)
    values (${newId('ticketMessage', ctx.now)}, ${ticket.id}, ${ticket.workspace_id}, ${message.from},
      ${message.authorId}, ${message.author}, ${message.body}, ${message.internal}, ${message.streaming ?? false},
      ${message.event}, ${ctx.now.toISOString()}, ${fold(message.body)})
    returning ${COLUMNS}`.execute(sqlOf(ctx.em));
  const added = messageOf(rows[0]!);
  await tellMessage(ctx, 'message.created', ticket.workspace_id, added);
  return added;
}

/** Makes a message what it is to be for good; it then counts from this moment. */
export async function changeMessage(ctx: VerbContext, id: string, message: NewMessage): Promise<void> {
  const { rows } = await sql<MessageRow & { workspace_id: number }>`
    update ticket_messages set from_kind = ${message.from}, author_id = ${message.authorId}, author = ${message.author},
      body = ${message.body}, internal = ${message.internal}, streaming = ${message.streaming ?? false},
      event = ${message.event}, created_at = ${ctx.now.toISOString()}, search_text = ${fold(message.body)}
    where id = ${id} returning workspace_id, ${COLUMNS}`.execute(sqlOf(ctx.em));
  const [row] = rows;
  if (row) await tellMessage(ctx, 'message.updated', row.workspace_id, messageOf(row));
}

export interface TicketChange {
  status?: TicketStatus;
  /** A message that the trader sees came from the assistant. */
  answered?: true;
}

export async function changeTicket(
  ctx: VerbContext,
  { id, workspace_id }: { id: string; workspace_id: number },
  { status, answered }: TicketChange,
): Promise<void> {
  await sql`
    update tickets set status = coalesce(${status ?? null}, status)
      ${answered ? sql`, unread = unread + 1, last_from = 'ai', last_message_at = ${ctx.now.toISOString()}` : sql``}
    where id = ${id}`.execute(sqlOf(ctx.em));
  await tellTicket(ctx, workspace_id, id);
}
