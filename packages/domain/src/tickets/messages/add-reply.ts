import type { TicketMessage } from '@firmdesk/contract';
import type { OperationContext } from '../../platform/database/context.ts';
import { addMessage, type NewMessage } from '../changes/changes.ts';
import { statusAfter } from '../changes/status.ts';
import type { TicketState } from '../ticket-state.ts';

/** Adds a reply to a locked ticket. Returns it and the ticket. Throws `ticket_ended`. */
export async function addReply(
  ctx: OperationContext,
  ticket: TicketState,
  reply: NewMessage,
): Promise<{ message: TicketMessage; ticket: TicketState }> {
  const status = statusAfter('answered', ticket.status);
  const change = { status, ai_enabled: false, unread: 0 };
  const added = await addMessage(ctx, ticket, reply, change, { isRead: ticket.unread > 0 });
  await ctx.services.ticketMailer.sendReply(ctx, added.ticket, added.message);
  if (ticket.pending_runs.length === 0) return added;
  return { ...added, ticket: await ctx.services.ticketAssistant.stopObsoleteRuns(ctx, added.ticket) };
}
