import type { MessageAuthor } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { changeTicket, type TicketState } from './changes.ts';
import { statusAfter } from './status.ts';

/**
 * Switches the assistant on for a locked ticket, and requests an answer if the trader wrote last; if the assistant wrote last,
 * the ticket awaits the trader. Throws `ticket_ended`, and `assistant_unavailable` once the team has replied: the assistant
 * then stays off (contract §2.5, §3.1).
 */
export async function handToAssistant(
  ctx: OperationContext,
  ticket: TicketState,
  byUserId?: string,
): Promise<void> {
  const handed = statusAfter('handed_to_assistant', ticket.status);
  const { rows } = await sql<{ answered: boolean | null; last: MessageAuthor | null }>`
    select bool_or(from_kind = 'admin') as answered, (array_agg(from_kind order by created_at desc, id desc))[1] as last
    from ticket_messages
    where ticket_id = ${ticket.id} and not internal and not streaming and from_kind <> 'system'`.execute(
    sqlOf(ctx.em),
  );
  const { answered, last } = rows[0]!;
  if (answered) {
    throw new ApiError('assistant_unavailable', {
      message: 'The team has answered this ticket, so the assistant stays off.',
    });
  }
  const status = handed === 'open' && last === 'ai' ? 'awaiting_trader' : handed;
  const changed = await changeTicket(ctx, ticket, { status, ai_enabled: true }, byUserId);
  if (last !== 'trader') return;
  // If the assistant was on already, an answer may be pending.
  const { ticketAssistant } = ctx.services;
  if (!(await ticketAssistant.isAnswering(ctx, ticket.id))) await ticketAssistant.answerTrader(ctx, changed);
}
