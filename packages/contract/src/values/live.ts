import * as z from 'zod';
import { Notification } from '../notifications/notifications.ts';
import { Ticket, TicketMessage } from '../tickets/tickets.ts';
import { IntegerId, idOf } from './ids.ts';

/**
 * The id of the last event that the client received, after which a stream resumes. tRPC clients send it when they
 * reconnect.
 */
export const LastEventId = z
  .string()
  .regex(/^\d{1,15}(-[0-9a-z]{1,8}){0,2}$/, 'must be the id of an event')
  .nullish();

export const StreamTicketInput = z.object({ ticket: idOf('ticket'), lastEventId: LastEventId });

export const StreamInboxInput = z.object({ lastEventId: LastEventId });

export const StreamNotificationsInput = z.object({ lastEventId: LastEventId });

export const StreamMailInput = z.object({ lastEventId: LastEventId });

export const StreamPresenceInput = z.object({ lastEventId: LastEventId });

/** A ticket that the caller has open, and whether they type there. */
export const AttendTicketInput = z.object({
  ticket: idOf('ticket'),
  typing: z.boolean().default(false),
  lastEventId: LastEventId,
});

/** The colleagues who have something open. */
const Viewers = z.array(z.object({ id: idOf('user'), name: z.string(), is_typing: z.boolean() }));

const MessageId = idOf('ticketMessage');

/** The log no longer contains the events after `lastEventId`, or a message was deleted: the client must fetch the current state. */
const Resync = z.object({ type: z.literal('resync') });

const TicketUpdated = z.object({ type: z.literal('ticket.updated'), ticket: Ticket });

/** An event of one ticket (contract §6.2). */
export const TicketStreamEvent = z.discriminatedUnion('type', [
  /** Sent to a client that subscribes while a reply is being written: the text so far. */
  z.object({ type: z.literal('snapshot'), message_id: MessageId, text: z.string() }),
  /** `offset`: the number of UTF-16 units before this text. */
  z.object({
    type: z.literal('text_delta'),
    ticket_id: idOf('ticket'),
    message_id: MessageId,
    offset: z.int(),
    text: z.string(),
  }),
  /** The reply starts again: its text is empty. */
  z.object({ type: z.literal('text_reset'), message_id: MessageId }),
  z.object({ type: z.literal('message.created'), message: TicketMessage }),
  z.object({ type: z.literal('message.updated'), message: TicketMessage }),
  TicketUpdated,
  Resync,
]);
export type TicketStreamEvent = z.infer<typeof TicketStreamEvent>;

/**
 * The accounts that have tickets open. With `is_all` these are all such tickets; otherwise those that have changed, without viewers if
 * nobody has the ticket open any more.
 */
export const PresenceEvent = z.object({
  type: z.literal('presence'),
  is_all: z.boolean(),
  tickets: z.array(
    z.object({
      ticket: idOf('ticket'),
      viewers: Viewers,
    }),
  ),
});
export type PresenceEvent = z.infer<typeof PresenceEvent>;

/** A conversation of mail that the caller has open, and whether they type there. */
export const AttendThreadInput = z.object({
  thread: z.int(),
  typing: z.boolean().default(false),
  lastEventId: LastEventId,
});

/** Who has the conversation open, all of them: also the caller. */
export const ThreadPresenceEvent = z.object({ type: z.literal('viewers'), viewers: Viewers });
export type ThreadPresenceEvent = z.infer<typeof ThreadPresenceEvent>;

/** The only event of an attendance: colleagues see it from now on. */
export const AttendanceEvent = z.object({ type: z.literal('attending') });
export type AttendanceEvent = z.infer<typeof AttendanceEvent>;

/** An event of a firm's inbox. */
export const InboxStreamEvent = z.discriminatedUnion('type', [TicketUpdated, Resync]);
export type InboxStreamEvent = z.infer<typeof InboxStreamEvent>;

/** An event of one account's notification centre. */
export const NotificationStreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('notification.created'), notification: Notification }),
  /** The number of unread notifications: at the start, and after each change by any session. */
  z.object({ type: z.literal('unread'), unread: z.int() }),
  /** The account changed what it is notified of: fetch the settings again. */
  z.object({ type: z.literal('settings') }),
  Resync,
]);
export type NotificationStreamEvent = z.infer<typeof NotificationStreamEvent>;

/** An event of the mailboxes that one account may read. */
export const MailStreamEvent = z.discriminatedUnion('type', [
  /** Messages of the mailbox arrived, moved, were read or were deleted: fetch its lists again. A save of a draft is no event. */
  z.object({ type: z.literal('mail.changed'), address_id: IntegerId }),
  Resync,
]);
export type MailStreamEvent = z.infer<typeof MailStreamEvent>;
