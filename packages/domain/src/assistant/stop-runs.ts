import { sql } from 'kysely';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { CHANNEL } from '../live/listener.ts';
import type { TicketState } from '../tickets/changes.ts';
import { obstacleOf } from './begin-run.ts';
import { failRun } from './fail-run.ts';
import { pendingRuns, type Run } from './run.ts';

/** Stops runs of a locked ticket: what they have written so far reaches nobody. Their workers hear of it. */
export async function stopRuns(
  ctx: VerbContext,
  ticket: TicketState,
  runs: readonly Run[],
  reason: string,
): Promise<void> {
  let state = ticket;
  for (const run of runs) {
    state = await failRun(ctx, run, state, reason);
    await sql`select pg_notify(${CHANNEL}, ${`run:${run.id}`})`.execute(sqlOf(ctx.em));
  }
}

/** Stops what a change of the ticket has made needless: all when it has ended, answers when the team has taken over. */
export async function stopNeedlessRuns(ctx: VerbContext, ticket: TicketState): Promise<void> {
  for (const run of await pendingRuns(ctx, ticket.id)) {
    const obstacle = obstacleOf({ ...run, allowed: true, attempt: 0 }, ticket);
    if (obstacle) await stopRuns(ctx, ticket, [run], obstacle);
  }
}
