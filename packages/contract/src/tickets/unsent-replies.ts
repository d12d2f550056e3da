import * as z from 'zod';
import { Attachment } from '../attachments/attachments.ts';
import { Timestamp } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { unsentReasons } from '../values/schema-enumerations.ts';
import { DraftContent } from './reply-drafts.ts';
import { TicketRef } from './tickets.ts';

/**
 * A delayed send that may no longer happen: a draft of its ticket that belongs to the team. Whoever may reply to the ticket can take it over
 * or discard it.
 */
export const UnsentReply = DraftContent.extend({
  object: z.literal('unsent_reply'),
  /** The id that its message would have had. */
  id: idOf('ticketMessage'),
  ticket_id: idOf('ticket'),
  author: z.string(),
  attachments: z.array(Attachment),
  reason: z.enum(unsentReasons),
  written_at: Timestamp,
  unsent_at: Timestamp,
});
export type UnsentReply = z.infer<typeof UnsentReply>;

/** The replies of a ticket that were not sent, in the order in which they were written. */
export const UnsentReplies = z.object({ data: z.array(UnsentReply) });
export type UnsentReplies = z.infer<typeof UnsentReplies>;

export const UnsentReplyRef = TicketRef.extend({ id: idOf('ticketMessage') });

/** The text is in the caller's draft of a reply now, after what that had. The files are the caller's, and in no message. */
export const ReplyTakenOver = z.object({
  object: z.literal('reply_taken_over'),
  id: idOf('ticketMessage'),
  attachments: z.array(Attachment),
});
export type ReplyTakenOver = z.infer<typeof ReplyTakenOver>;

export const ReplyDiscarded = z.object({ object: z.literal('reply_discarded'), id: idOf('ticketMessage') });
export type ReplyDiscarded = z.infer<typeof ReplyDiscarded>;
