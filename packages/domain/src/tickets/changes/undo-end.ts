import { type Ticket, UNDO_SECONDS, type UndoEndInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { toTicket } from '../ticket-row.ts';
import { lockTicket, type TicketState } from '../ticket-state.ts';
import { changeTicket } from './changes.ts';
import { isEnded } from './status.ts';

/**
 * Gives a ticket that was just resolved or closed its earlier status back. A ticket with another status stays as it is. Replies
 * that the assistant was writing stay stopped. Throws `resource_not_found`, and `ticket_ended` after {@link UNDO_SECONDS} or if it was merged.
 */
export async function undoEnd(ctx: AccountContext, input: z.infer<typeof UndoEndInput>): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  return toTicket(ctx, isEnded(ticket.status) ? await reopenTicket(ctx, ticket, input.status) : ticket);
}

/** {@link undoEnd} for a locked ticket that has ended. */
export async function reopenTicket(
  ctx: AccountContext,
  ticket: TicketState,
  status: z.infer<typeof UndoEndInput>['status'],
): Promise<TicketState> {
  if (ticket.merged_into !== null) throw new ApiError('ticket_ended');
  const endedAt = Date.parse(ticket.closed_at ?? '');
  if (!(ctx.now.getTime() - endedAt <= UNDO_SECONDS * 1_000)) throw new ApiError('ticket_ended');
  return changeTicket(ctx, ticket, { status }, ctx.identity.user.id);
}
