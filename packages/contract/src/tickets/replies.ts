import * as z from 'zod';
import { MessageAttachments } from '../attachments/attachments.ts';
import { AnyText, Line, Timestamp } from '../values/fields.ts';
import { IntegerId, idOf, SeenMessageId } from '../values/ids.ts';
import {
  MAX_FORMATTED_LENGTH,
  MAX_MENTIONS,
  MAX_MESSAGE_LENGTH,
  MAX_REPLY_MACROS,
  MAX_TICKET_TAGS,
} from '../values/limits.ts';
import { TicketPriority, TicketRef } from './tickets.ts';

/** What is changed with a reply, in one go. The tags are added to those of the ticket. */
export const ReplyActions = z.object({
  add_tags: z.array(IntegerId).max(MAX_TICKET_TAGS).default([]),
  status: z.enum(['awaiting_admin', 'resolved', 'closed']).nullable().default(null),
  priority: TicketPriority.nullable().default(null),
  assignee: idOf('user').nullable().default(null),
});
export type ReplyActions = z.infer<typeof ReplyActions>;

/** The text and the files of a message of the team. One of them can be empty. */
const messageContent = {
  body: AnyText.max(MAX_MESSAGE_LENGTH),
  /** The text with formatting, in HTML. The service keeps a safe part of it, whose plain text is then the body. */
  body_html: z.string().max(MAX_FORMATTED_LENGTH).optional(),
  attachments: MessageAttachments,
};
const hasContent = ({ body, attachments }: { body: string; attachments: readonly string[] }) =>
  body !== '' || attachments.length > 0;
const withoutContent = { path: ['body'], error: 'must not be empty' };

/** A reply to the trader. An image is named by the URL at which it is stored already; a file is uploaded before. */
export const ReplyInput = TicketRef.extend({
  ...messageContent,
  image_url: z.httpUrl('must be an http or https URL').max(2000).nullable().default(null),
  image_name: Line.max(255).nullable().default(null),
  seen_message_id: SeenMessageId,
  actions: ReplyActions.optional(),
  /** The macros in the reply, which count it. */
  macros: z.array(idOf('macro')).max(MAX_REPLY_MACROS).optional(),
}).refine(hasContent, withoutContent);

/** A reply that is sent at `send_at`. The message then has this id. */
export const DelayedSend = z.object({
  object: z.literal('held_reply'),
  id: idOf('ticketMessage'),
  ticket_id: idOf('ticket'),
  send_at: Timestamp,
});
export type DelayedSend = z.infer<typeof DelayedSend>;

export const DelayedSendRef = TicketRef.extend({ id: idOf('ticketMessage') });

/**
 * A reply that is no longer `held` and `not_sent` was taken back, or others have written before it was due: it is a draft again.
 * `kept_for_team`: it may no longer be sent, and is a draft of the team (`tickets.unsentReplies`).
 */
export const DelayedSendState = z.object({
  object: z.literal('held_reply_state'),
  id: idOf('ticketMessage'),
  state: z.enum(['held', 'sent', 'kept_for_team', 'not_sent']),
});
export type DelayedSendState = z.infer<typeof DelayedSendState>;

export const ReplyTakenBack = z.object({ object: z.literal('reply_taken_back'), id: idOf('ticketMessage') });

/** The colleagues whom a note mentions. */
export const Mentions = z.array(idOf('user')).max(MAX_MENTIONS).default([]);

/** A note for the team. The colleagues in `mentions` are notified: agents of the firm, whose names are in the text. */
export const NoteInput = TicketRef.extend({
  ...messageContent,
  seen_message_id: SeenMessageId,
  mentions: Mentions,
}).refine(hasContent, withoutContent);
