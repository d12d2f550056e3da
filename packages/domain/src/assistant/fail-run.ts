import type { TicketStatus } from '@firmdesk/contract';
import type { OperationContext } from '../platform/context.ts';
import { addMessage, settleReply, type TicketState } from '../tickets/index.ts';
import { answerTrader } from './answer-trader.ts';
import { endRun, pendingRuns, type Run } from './run.ts';

/**
 * Ends a run without a reply: a note for the team says why, and the ticket goes back to where somebody will see it, unless
 * something has moved it since. Where a reply had begun to show, the note takes its place. Returns the ticket as it then is.
 */
export async function failRun(
  ctx: OperationContext,
  run: Run,
  ticket: TicketState,
  reason: string,
): Promise<TicketState> {
  await endRun(ctx, run, 'failed');
  // An answer that the team has made needless, and that nobody has seen begin, goes without a word.
  if (run.kind === 'answer' && !run.message_id && ticket.status !== 'open') return ticket;
  const note = {
    from: 'system',
    authorId: null,
    author: 'System',
    body: `The assistant did not answer: ${reason}.`,
    internal: true,
    event: 'ai_command_failed',
  } as const;
  const change = { status: await statusAfter(ctx, run, ticket) };
  const after = run.message_id
    ? await settleReply(ctx, ticket, run.message_id, note, change)
    : (await addMessage(ctx, ticket, note, change)).ticket;
  // The assistant's turn again: the command had taken its answer's place.
  const isOwed = run.owes_answer || after.last_from === 'trader';
  if (after.status !== ticket.status && isOwed) await answerTrader(ctx, after);
  return after;
}

async function statusAfter(ctx: OperationContext, run: Run, ticket: TicketState): Promise<TicketStatus> {
  // Nobody else will answer a trader whom the assistant was to answer.
  if (run.kind === 'answer') return ticket.status === 'open' ? 'awaiting_admin' : ticket.status;
  const isUnmoved = ticket.status === 'awaiting_trader' && ticket.last_message_at === run.last_message_at;
  const others = await pendingRuns(ctx, ticket.id);
  if (!isUnmoved || others.length > 0) return ticket.status;
  // Only where the assistant can answer is it its turn again.
  const canAnswer = run.allowed && ticket.ai_enabled;
  return run.status_before === 'open' && !canAnswer ? 'awaiting_admin' : run.status_before;
}
