import type { NoteInput, ReplyInput, TicketMessage } from '@firmdesk/contract';
import type { z } from 'zod';
import type { AccountContext } from '../procedures/call-context.ts';
import { addMessage, setReadDates } from './changes.ts';
import { statusAfter } from './status.ts';
import { lockTicketAsSeen } from './ticket-state.ts';

/**
 * Replies to the trader, and switches the assistant off for good. Stops the replies that the assistant is writing, and marks
 * earlier messages as read. Throws `resource_not_found`, `ticket_ended`, `newer_messages`.
 */
export async function replyToTrader(
  ctx: AccountContext,
  input: z.infer<typeof ReplyInput>,
): Promise<TicketMessage> {
  const ticket = await lockTicketAsSeen(ctx, input.ticket, input.seen_message_id);
  const status = statusAfter('answered', ticket.status);
  const { message, ticket: answered } = await addMessage(
    ctx,
    ticket,
    { ...authorOf(ctx), body: input.body, imageUrl: input.image_url, imageName: input.image_name },
    { status, ai_enabled: false, unread: 0 },
  );
  if (ticket.unread > 0) await setReadDates(ctx, ticket);
  if (ticket.pending_runs.length > 0) await ctx.services.ticketAssistant.stopObsoleteRuns(ctx, answered);
  return message;
}

/** Adds a note that only the team sees, also to an ended ticket. Throws `resource_not_found`, `newer_messages`. */
export async function addNote(ctx: AccountContext, input: z.infer<typeof NoteInput>): Promise<TicketMessage> {
  const ticket = await lockTicketAsSeen(ctx, input.ticket, input.seen_message_id);
  const { message } = await addMessage(ctx, ticket, { ...authorOf(ctx), body: input.body, internal: true });
  return message;
}

function authorOf({ identity }: AccountContext) {
  return { from: 'admin', authorId: identity.user.id, author: identity.user.name } as const;
}
