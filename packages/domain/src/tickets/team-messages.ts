import type { NoteInput, ReplyInput, TicketMessage } from '@firmdesk/contract';
import type { z } from 'zod';
import { claimAttachments } from '../attachments/index.ts';
import type { OperationContext } from '../platform/context.ts';
import { ApiError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { addInternalMessage, addMessage, type NewMessage, setReadDates } from './changes.ts';
import { statusAfter } from './status.ts';
import { lockConversationAsSeen, lockTicketAsSeen, type TicketState } from './ticket-state.ts';

/**
 * Replies to the trader, and switches the assistant off for good. Stops the replies that the assistant is writing, and marks
 * earlier messages as read. Throws `resource_not_found`, `ticket_ended`, `newer_messages`.
 */
export async function replyToTrader(
  ctx: AccountContext,
  input: z.infer<typeof ReplyInput>,
): Promise<TicketMessage> {
  const ticket = await lockTicketAsSeen(ctx, input.ticket, input.seen_message_id);
  const { message } = await addReply(ctx, ticket, {
    ...authorOf(ctx),
    ...(await contentOf(ctx, input)),
    imageUrl: input.image_url,
    imageName: input.image_name,
  });
  return message;
}

/** Adds a reply to a locked ticket. Returns it and the ticket. Throws `ticket_ended`. */
export async function addReply(
  ctx: OperationContext,
  ticket: TicketState,
  reply: NewMessage,
): Promise<{ message: TicketMessage; ticket: TicketState }> {
  const status = statusAfter('answered', ticket.status);
  const added = await addMessage(ctx, ticket, reply, { status, ai_enabled: false, unread: 0 });
  if (ticket.unread > 0) await setReadDates(ctx, ticket);
  if (ticket.pending_runs.length === 0) return added;
  return { ...added, ticket: await ctx.services.ticketAssistant.stopObsoleteRuns(ctx, added.ticket) };
}

/**
 * Adds a note that only the team sees, also to an ended ticket. Throws `resource_not_found`, `newer_messages`, and `ticket_ended` if
 * the ticket was merged into another.
 */
export async function addNote(ctx: AccountContext, input: z.infer<typeof NoteInput>): Promise<TicketMessage> {
  const conversation = await lockConversationAsSeen(ctx, input.ticket, input.seen_message_id);
  if (conversation.merged_into !== null) throw new ApiError('ticket_ended');
  return addInternalMessage(ctx, conversation, { ...authorOf(ctx), ...(await contentOf(ctx, input)) });
}

/** Returns the text and the files of a message, which from now on contains the files. */
async function contentOf(
  ctx: AccountContext,
  { ticket, body, attachments: ids }: Pick<z.infer<typeof NoteInput>, 'ticket' | 'body' | 'attachments'>,
) {
  if (ids.length === 0) return { body };
  const id = newId('ticketMessage', ctx.now);
  return { id, body, attachments: await claimAttachments(ctx, { ticket, message: id, ids }) };
}

/** Returns the caller as the author of a message. */
export function authorOf({ identity }: AccountContext) {
  return { from: 'admin', authorId: identity.user.id, author: identity.user.name } as const;
}
