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
 * Puts a reply in hand: the run, its place in the allowance and its job, with what caused them. One run of a ticket goes
 * on at a time. Beyond the allowance the run merely notes that it failed.
 */
export async function startRun(ctx: VerbContext, { ticket, kind, instruction }: NewRun): Promise<void> {
  const allowed = await useAllowance(ctx, ticket.workspace_id);
  const { rows } = await sql<{ id: string }>`
    insert into assistant_runs
      (workspace_id, ticket_id, kind, instruction, allowed, status_before, last_message_at, created_at)
    values (${ticket.workspace_id}, ${ticket.id}, ${kind}, ${instruction}, ${allowed}, ${ticket.status},
      ${ticket.last_message_at}, ${ctx.now.toISOString()})
    returning id`.execute(sqlOf(ctx.em));
  await enqueue(ctx, writeReplyJob, { run: rows[0]!.id }, { queue: `assistant:${ticket.id}` });
}
