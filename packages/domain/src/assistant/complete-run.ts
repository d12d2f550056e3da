import { sql } from 'kysely';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { obstacleOf } from './begin-run.ts';
import { changeMessage, changeTicket } from './conversation.ts';
import type { Attempt } from './delta-writer.ts';
import { failRun } from './fail-run.ts';
import { lockRun, pendingRuns, type Run, type RunTicket } from './run.ts';

/** The run, if this attempt is still the one that writes it; under the lock of its ticket. */
async function held(
  ctx: VerbContext,
  { runId, attempt }: Attempt,
): Promise<{ run: Run; ticket: RunTicket } | null> {
  const found = await lockRun(ctx, runId);
  return found && found.run.state === 'running' && found.run.attempt === attempt ? found : null;
}

/** Stores the reply, once, and gives it to the trader; or notes why the ticket no longer wants it. */
export async function completeRun(ctx: VerbContext, attempt: Attempt, text: string): Promise<void> {
  const found = await held(ctx, attempt);
  if (!found) return;
  const { run, ticket } = found;
  const obstacle = obstacleOf({ ...run, attempt: 0 }, ticket);
  if (obstacle) return failRun(ctx, run, ticket, obstacle);
  await sql`
    update assistant_runs set state = 'done', ended_at = ${ctx.now.toISOString()}
    where id = ${run.id}`.execute(sqlOf(ctx.em));
  await changeMessage(ctx, run.message_id!, {
    from: 'ai',
    authorId: null,
    author: 'Assistant',
    body: text,
    internal: false,
    event: null,
  });
  // The trader may have written again meanwhile, and the assistant have that to answer.
  const isAnswered = run.kind === 'answer' && (await pendingRuns(ctx, ticket.id)).length === 0;
  await changeTicket(ctx, ticket, {
    answered: true,
    status: isAnswered ? 'awaiting_trader' : ticket.status,
  });
}

/** Notes that the assistant failed at it. */
export async function giveUpRun(ctx: VerbContext, attempt: Attempt, reason: string): Promise<void> {
  const found = await held(ctx, attempt);
  if (found) await failRun(ctx, found.run, found.ticket, reason);
}
