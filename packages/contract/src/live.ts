import { z } from 'zod';
import { idOf } from './ids.ts';
import { Notification } from './notifications.ts';
import { Ticket, TicketMessage } from './tickets.ts';

/**
 * Where a stream is resumed: the id of the last event that was received. Clients of tRPC send it by themselves when they
 * reconnect.
 */
export const LastEventId = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the id of an event: at most 15 digits')
  .nullish();

export const StreamTicketInput = z.object({ ticket: idOf('ticket'), lastEventId: LastEventId });

export const StreamInboxInput = z.object({ lastEventId: LastEventId });

export const StreamNotificationsInput = z.object({ lastEventId: LastEventId });

const MessageId = idOf('ticketMessage');

/** The log no longer reaches back to `lastEventId`: what is shown must be fetched anew. */
const Resync = z.object({ type: z.literal('resync') });

const TicketUpdated = z.object({ type: z.literal('ticket.updated'), ticket: Ticket });

/** What the viewers of one ticket receive (contract §6.2). */
export const TicketStreamEvent = z.discriminatedUnion('type', [
  /** To one who joins in mid-reply: the text so far. */
  z.object({ type: z.literal('snapshot'), message_id: MessageId, text: z.string() }),
  /** `offset`: UTF-16 units before this text. */
  z.object({
    type: z.literal('text_delta'),
    ticket_id: idOf('ticket'),
    message_id: MessageId,
    offset: z.int(),
    text: z.string(),
  }),
  /** The reply begins anew. */
  z.object({ type: z.literal('text_reset'), message_id: MessageId }),
  z.object({ type: z.literal('message.created'), message: TicketMessage }),
  z.object({ type: z.literal('message.updated'), message: TicketMessage }),
  TicketUpdated,
  Resync,
]);
export type TicketStreamEvent = z.infer<typeof TicketStreamEvent>;

/** What the viewers of a firm's inbox receive. */
export const InboxStreamEvent = z.discriminatedUnion('type', [TicketUpdated, Resync]);
export type InboxStreamEvent = z.infer<typeof InboxStreamEvent>;

/** What the viewers of one person's notification centre receive. */
export const NotificationStreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('notification.created'), notification: Notification }),
  /** How many are unread as this is told: at the beginning, and after each change, whichever session made it. */
  z.object({ type: z.literal('unread'), unread: z.int() }),
  Resync,
]);
export type NotificationStreamEvent = z.infer<typeof NotificationStreamEvent>;
