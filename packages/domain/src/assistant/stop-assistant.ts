import type { AssistantStopped, StopAssistantInput } from '@firmdesk/contract';
import type { z } from 'zod';
import type { AccountContext } from '../procedures/call-context.ts';
import { lockTicket } from '../tickets/index.ts';
import { pendingRuns } from './run.ts';
import { stopRuns } from './stop-runs.ts';

/**
 * Stops what the assistant writes, or is about to write, on a ticket: nothing of it reaches the trader, a note says who
 * stopped it. Raises `resource_not_found`.
 */
export async function stopAssistant(
  ctx: AccountContext,
  { ticket: id }: z.output<typeof StopAssistantInput>,
): Promise<z.output<typeof AssistantStopped>> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, id);
  const runs = await pendingRuns(ctx, id);
  await stopRuns(ctx, ticket, runs, `${ctx.identity.user.name} stopped it`);
  return { object: 'assistant_stopped', stopped: runs.length };
}
