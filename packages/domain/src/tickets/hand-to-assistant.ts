import { sql } from 'kysely';
import { answerTrader } from '../assistant/answer-trader.ts';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { ApiError } from '../kernel/errors.ts';
import { changeTicket, type TicketState } from './changes.ts';
import { statusAfter } from './status.ts';

/**
 * The assistant answers the trader again, at once where the trader waits. Raises `ticket_ended`, and `assistant_unavailable`
 * once the team has answered: it is off for good then (contract §2.5, §3.1).
 */
export async function handToAssistant(
  ctx: VerbContext,
  ticket: TicketState,
  byUserId?: string,
): Promise<void> {
  const status = statusAfter('handed_to_assistant', ticket.status);
  const { rows } = await sql`
    select from ticket_messages
    where ticket_id = ${ticket.id} and from_kind = 'admin' and not internal limit 1`.execute(sqlOf(ctx.em));
  if (rows.length > 0) {
    throw new ApiError('assistant_unavailable', {
      message: 'The team has answered this ticket: the assistant stays off.',
    });
  }
  const changed = await changeTicket(ctx, ticket, { status, ai_enabled: true }, byUserId);
  if (changed.last_from === 'trader') await answerTrader(ctx, changed);
}
