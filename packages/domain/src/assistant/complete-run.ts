import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { settleReply, statusAfter, type TicketState } from '../tickets/index.ts';
import type { Attempt } from './delta-writer.ts';
import { failRun } from './fail-run.ts';
import { endRun, lockRun, obstacleOf, pendingRuns, type Run } from './run.ts';

/** The run, if this attempt is still the one that writes it; under the lock of its ticket. */
async function held(
  ctx: OperationContext,
  { runId, attempt }: Attempt,
): Promise<{ run: Run; ticket: TicketState } | null> {
  const found = await lockRun(ctx, runId);
  return found && found.run.state === 'running' && found.run.attempt === attempt ? found : null;
}

/** Stores the reply, once, and gives it to the trader; or notes why the ticket no longer wants it. */
export async function completeRun(ctx: OperationContext, attempt: Attempt, text: string): Promise<void> {
  const found = await held(ctx, attempt);
  if (!found) return;
  const { run, ticket } = found;
  const obstacle = obstacleOf({ ...run, attempt: 0 }, ticket);
  if (obstacle) {
    await failRun(ctx, run, ticket, obstacle);
    return;
  }
  await endRun(ctx, run, 'done');
  // The trader may have written again meanwhile, and the assistant have that to answer.
  const isAnswered = run.kind === 'answer' && (await pendingRuns(ctx, ticket.id)).length === 0;
  const status = isAnswered ? statusAfter('answered', ticket.status) : ticket.status;
  const after = await settleReply(
    ctx,
    ticket,
    run.message_id!,
    { from: 'ai', author: 'Assistant', body: text },
    { status },
  );
  await rebaseCommands(ctx, run, after);
}

/**
 * What the failure of a command puts back, now that an earlier run has replied: the trader has been answered, except where
 * they wrote again before the command. That message, which the reply may not have considered, waits for the team then.
 */
async function rebaseCommands(ctx: OperationContext, run: Run, ticket: TicketState): Promise<void> {
  await sql`
    update assistant_runs set last_message_at = ${ticket.last_message_at}, status_before = case
      when last_message_at = ${run.last_message_at} then 'awaiting_trader'
      when status_before = 'open' then 'awaiting_admin'
      else status_before end
    where ticket_id = ${run.ticket_id} and kind = 'command' and ended_at is null`.execute(sqlOf(ctx.em));
}

/** Notes that the assistant failed at it. */
export async function giveUpRun(ctx: OperationContext, attempt: Attempt, reason: string): Promise<void> {
  const found = await held(ctx, attempt);
  if (found) await failRun(ctx, found.run, found.ticket, reason);
}

/** Notes that a run could not even be begun. */
export async function abandonRun(ctx: OperationContext, runId: string, reason: string): Promise<void> {
  const found = await lockRun(ctx, runId);
  if (found && !found.run.ended_at) await failRun(ctx, found.run, found.ticket, reason);
}
