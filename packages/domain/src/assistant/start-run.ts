import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import type { TicketState } from '../tickets/index.ts';
import { useAllowance } from './allowance.ts';
import { giveTurn, pendingRuns } from './run.ts';

interface NewRun {
  /** As it was before what caused the run. */
  ticket: TicketState;
  kind: 'command' | 'answer';
  instruction: string | null;
  /** A message under way that the reply is written into; by default it gets one of its own. */
  messageId?: string | null;
  owesAnswer?: boolean;
}

/**
 * Adds a run of a locked ticket: the run, its job and its place in the allowance commit with what caused them. It waits for
 * the ticket's earlier runs. Beyond the allowance the run merely notes that it failed.
 */
export async function startRun(
  ctx: OperationContext,
  { ticket, kind, instruction, messageId = null, owesAnswer = false }: NewRun,
): Promise<void> {
  const db = sqlOf(ctx.em);
  const earlier = await pendingRuns(ctx, ticket.id);
  const { rows } = await sql<{ id: string }>`
    insert into assistant_runs
      (workspace_id, ticket_id, kind, instruction, message_id, status_before, last_message_at, owes_answer, created_at)
    values (${ticket.workspace_id}, ${ticket.id}, ${kind}, ${instruction}, ${messageId}, ${ticket.status},
      ${ticket.last_message_at}, ${owesAnswer}, ${ctx.now.toISOString()})
    returning id`.execute(db);
  const { id } = rows[0]!;
  if (earlier.length === 0) await giveTurn(ctx, id);
  // Last, for all of the firm wait here for each other.
  if (await useAllowance(ctx, ticket.workspace_id)) return;
  await sql`update assistant_runs set allowed = false where id = ${id}`.execute(db);
}
