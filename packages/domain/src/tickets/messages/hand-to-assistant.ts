import type { MessageAuthor } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { changeTicket } from '../changes/changes.ts';
import { statusAfter } from '../changes/status.ts';
import type { TicketState } from '../ticket-state.ts';

/**
 * Switches the assistant on for a locked ticket, and requests an answer if the trader wrote last; if the assistant wrote last,
 * the ticket awaits the trader. Throws `ticket_ended`, and `assistant_unavailable` once the team has replied: the assistant
 * then stays off (contract §2.5, §3.1). Returns the ticket.
 */
export async function handToAssistant(
  ctx: OperationContext,
  ticket: TicketState,
  byUserId?: string,
): Promise<TicketState> {
  const handed = statusAfter('handed_to_assistant', ticket.status);
  const { ticketAssistant } = ctx.services;
  const { rows } = await sql<{ answered: boolean | null; last: MessageAuthor | null }>`
    select bool_or(from_kind = 'admin') as answered, (array_agg(from_kind order by created_at desc, id desc))[1] as last
    from ticket_messages
    where workspace_id = ${ticket.workspace_id} and ticket_id = ${ticket.id}
    and not internal and not streaming and from_kind <> 'system'`.execute(ctx.db);
  const { answered, last } = rows[0]!;
  if (answered) {
    throw new ApiError('assistant_unavailable', {
      message: 'The team has answered this ticket, so the assistant stays off.',
    });
  }
  const status = handed === 'open' && last === 'ai' ? 'awaiting_trader' : handed;
  const changed = await changeTicket(ctx, ticket, { status, ai_enabled: true }, byUserId);
  // An answer may already be pending if the assistant was on.
  const isAnswering = ticket.pending_runs.some(({ kind }) => kind === 'answer');
  if (last === 'trader' && !isAnswering) await ticketAssistant.answerTrader(ctx, changed);
  return changed;
}
