import type { MessageAuthor, TicketMessage } from '@firmdesk/contract';

/** The columns of `ticket_messages` that {@link toTicketMessage} needs. */
export const MESSAGE_COLUMNS = [
  'id',
  'ticket_id',
  'from_kind',
  'author',
  'body',
  'body_html',
  'image_url',
  'image_name',
  'attachments',
  'internal',
  'streaming',
  'via_email',
  'event',
  'mentions',
  'read_at',
  'created_at',
] as const;

/** A row of `ticket_messages`, with {@link MESSAGE_COLUMNS}. */
export interface MessageRow extends Omit<TicketMessage, 'object' | 'from' | 'mentions' | 'body_html'> {
  body_html: string | null;
  from_kind: MessageAuthor;
  mentions: string[] | null;
}

/** Returns the message in the form of contract §2.6. */
export function toTicketMessage(row: MessageRow): TicketMessage {
  return {
    object: 'ticket_message',
    id: row.id,
    ticket_id: row.ticket_id,
    from: row.from_kind,
    author: row.author,
    body: row.body,
    image_url: row.image_url,
    image_name: row.image_name,
    attachments: row.attachments,
    internal: row.internal,
    streaming: row.streaming,
    via_email: row.via_email,
    event: row.event,
    read_at: row.read_at,
    created_at: row.created_at,
    ...(row.body_html !== null && { body_html: row.body_html }),
    ...(row.mentions && { mentions: row.mentions }),
  };
}
