import type { AssistantStopped, StopAssistantInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { AccountContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { CHANNEL } from '../live/listener.ts';
import { lockTicket } from '../tickets/changes.ts';
import { failRun } from './fail-run.ts';
import { pendingRuns } from './run.ts';

/**
 * Stops what the assistant writes, or is about to write, on a ticket: nothing of it reaches the trader, a note says who
 * stopped it. The worker hears of it, and could not store a word from here on anyway. Raises `resource_not_found`.
 */
export async function stopAssistant(
  ctx: AccountContext,
  { ticket: id }: z.output<typeof StopAssistantInput>,
): Promise<z.output<typeof AssistantStopped>> {
  let ticket = await lockTicket(ctx, ctx.workspace.id, id);
  const runs = await pendingRuns(ctx, id);
  for (const run of runs) {
    ticket = await failRun(ctx, run, ticket, `${ctx.identity.user.name} stopped it`);
    await sql`select pg_notify(${CHANNEL}, ${`run:${run.id}`})`.execute(sqlOf(ctx.em));
  }
  return { object: 'assistant_stopped', stopped: runs.length };
}
