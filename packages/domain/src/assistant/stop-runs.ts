import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { CHANNEL } from '../platform/events/listener.ts';
import type { TicketState } from '../tickets/index.ts';
import { failRun } from './fail-run.ts';
import { endRun, obstacleOf, pendingRuns, type Run } from './run.ts';

/** Stops runs of a locked ticket: what they have written so far reaches nobody. Their workers hear of it. */
export async function stopRuns(
  ctx: OperationContext,
  ticket: TicketState,
  runs: readonly Run[],
  reason: string,
): Promise<TicketState> {
  let state = ticket;
  for (const run of runs) {
    state = await failRun(ctx, run, state, reason);
    await interruptWorker(ctx, run);
  }
  return state;
}

/** Stops what a change of the ticket has made needless: see `obstacleOf`. */
export async function stopNeedlessRuns(ctx: OperationContext, ticket: TicketState): Promise<void> {
  let state = ticket;
  for (const run of await pendingRuns(ctx, ticket.id)) {
    const obstacle = obstacleOf({ ...run, allowed: true, attempt: 0 }, ticket);
    if (obstacle) state = await stopRuns(ctx, state, [run], obstacle);
  }
}

/**
 * Ends the answers of a locked ticket without a note, because a command takes their place. Returns the message that one of
 * them was being written into, which is then the command's.
 */
export async function withdrawAnswers(
  ctx: OperationContext,
  pending: readonly Run[],
): Promise<string | null> {
  let messageId: string | null = null;
  for (const run of pending) {
    if (run.kind !== 'answer') continue;
    messageId ??= run.message_id;
    await endRun(ctx, run, 'failed');
    await interruptWorker(ctx, run);
  }
  return messageId;
}

/** A hint to the worker of a run, on whatever node, that it has ended; without it the next piece of text would tell. */
async function interruptWorker({ em }: OperationContext, run: Run): Promise<void> {
  if (run.state !== 'running') return;
  await sql`select pg_notify(${CHANNEL}, ${`run:${run.id}`})`.execute(sqlOf(em));
}
