import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { lockTicket } from '../../tickets/index.ts';
import { failSuspendedCommands } from './run.ts';

/**
 * Fails the commands of firms that were suspended while the commands waited. Answers to traders stay: the trader still waits for them,
 * and the ticket for the assistant.
 */
export async function failCommandsOfResumed(
  ctx: OperationContext,
  workspaceIds: readonly number[],
): Promise<void> {
  for (const workspaceId of workspaceIds) {
    const { rows } = await sql<{ ticket_id: string }>`
      select distinct ticket_id from assistant_runs
      where workspace_id = ${workspaceId} and kind = 'command' and ended_at is null
      order by ticket_id`.execute(ctx.db);
    for (const { ticket_id } of rows)
      await failSuspendedCommands(ctx, await lockTicket(ctx, workspaceId, ticket_id));
  }
}
