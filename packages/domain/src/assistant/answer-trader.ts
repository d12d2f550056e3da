import type { OperationContext } from '../platform/context.ts';
import type { TicketState } from '../tickets/index.ts';
import { pendingRuns } from './run.ts';
import { startRun } from './start-run.ts';

/**
 * Has the assistant answer the trader who has just written, where it answers this locked ticket (`open`, `ai_enabled`). One
 * answer is enough for several messages in a row: one that has not begun will see this message too.
 */
export async function answerTrader(ctx: OperationContext, ticket: TicketState): Promise<void> {
  if (ticket.status !== 'open' || !ticket.ai_enabled) return;
  const pending = await pendingRuns(ctx, ticket.id);
  if (pending.some(({ kind, state }) => kind === 'answer' && state === 'waiting')) return;
  await startRun(ctx, { ticket, kind: 'answer', instruction: null });
}
