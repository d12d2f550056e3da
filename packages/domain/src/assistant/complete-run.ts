import { sql } from 'kysely';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { settleReply, type TicketState } from '../tickets/changes.ts';
import { statusAfter } from '../tickets/status.ts';
import { obstacleOf } from './begin-run.ts';
import type { Attempt } from './delta-writer.ts';
import { failRun } from './fail-run.ts';
import { lockRun, pendingRuns, type Run } from './run.ts';

/** The run, if this attempt is still the one that writes it; under the lock of its ticket. */
async function held(
  ctx: VerbContext,
  { runId, attempt }: Attempt,
): Promise<{ run: Run; ticket: TicketState } | null> {
  const found = await lockRun(ctx, runId);
  return found && found.run.state === 'running' && found.run.attempt === attempt ? found : null;
}

/** Stores the reply, once, and gives it to the trader; or notes why the ticket no longer wants it. */
export async function completeRun(ctx: VerbContext, attempt: Attempt, text: string): Promise<void> {
  const found = await held(ctx, attempt);
  if (!found) return;
  const { run, ticket } = found;
  const obstacle = obstacleOf({ ...run, attempt: 0 }, ticket);
  if (obstacle) {
    await failRun(ctx, run, ticket, obstacle);
    return;
  }
  await sql`
    update assistant_runs set state = 'done', ended_at = ${ctx.now.toISOString()}
    where id = ${run.id}`.execute(sqlOf(ctx.em));
  // The trader may have written again meanwhile, and the assistant have that to answer.
  const isAnswered = run.kind === 'answer' && (await pendingRuns(ctx, ticket.id)).length === 0;
  const status = isAnswered ? statusAfter('answered', ticket.status) : ticket.status;
  await settleReply(
    ctx,
    ticket,
    run.message_id!,
    { from: 'ai', author: 'Assistant', body: text },
    { status },
  );
}

/** Notes that the assistant failed at it. */
export async function giveUpRun(ctx: VerbContext, attempt: Attempt, reason: string): Promise<void> {
  const found = await held(ctx, attempt);
  if (found) await failRun(ctx, found.run, found.ticket, reason);
}
