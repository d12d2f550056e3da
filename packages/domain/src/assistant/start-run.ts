import { sql } from 'kysely';
import { z } from 'zod';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { defineJob, enqueue } from '../kernel/jobs.ts';
import type { TicketState } from '../tickets/changes.ts';
import { useAllowance } from './allowance.ts';

export const writeReplyJob = defineJob('assistant.reply', z.object({ run: z.string() }));

interface NewRun {
  /** As it was before what caused the run. */
  ticket: TicketState;
  kind: 'command' | 'answer';
  instruction: string | null;
}

/**
 * Puts a reply in hand: the run, its job and its place in the allowance, with what caused them. One run of a ticket goes on
 * at a time. Beyond the allowance the run merely notes that it failed.
 */
export async function startRun(ctx: VerbContext, { ticket, kind, instruction }: NewRun): Promise<void> {
  const db = sqlOf(ctx.em);
  const { rows } = await sql<{ id: string }>`
    insert into assistant_runs
      (workspace_id, ticket_id, kind, instruction, status_before, last_message_at, created_at)
    values (${ticket.workspace_id}, ${ticket.id}, ${kind}, ${instruction}, ${ticket.status},
      ${ticket.last_message_at}, ${ctx.now.toISOString()})
    returning id`.execute(db);
  const { id } = rows[0]!;
  await enqueue(ctx, writeReplyJob, { run: id }, { queue: `assistant:${ticket.id}` });
  // Last, for all of the firm wait here for each other.
  if (await useAllowance(ctx, ticket.workspace_id)) return;
  await sql`update assistant_runs set allowed = false where id = ${id}`.execute(db);
}
