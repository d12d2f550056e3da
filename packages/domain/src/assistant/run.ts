import type { TicketStatus } from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { defineJob, enqueue } from '../platform/jobs.ts';
import { isEnded, lockTicket, type TicketState } from '../tickets/index.ts';

/*
 * The life of a run: `waiting` until its turn, `running` while a worker writes, then `done` or `failed`. A ticket's runs
 * take turns, oldest first: only the first has a job, and its end enqueues the next one's. No queue of the job system is
 * used for that, because a job whose worker hangs would hold up all that come after it.
 */

/**
 * A reply that the assistant was asked for: by a command of the team, or by a trader's message that it answers. Whoever
 * changes a run holds the lock of its ticket.
 */
export interface Run {
  id: string;
  workspace_id: number;
  ticket_id: string;
  kind: 'command' | 'answer';
  instruction: string | null;
  state: 'waiting' | 'running' | 'done' | 'failed';
  allowed: boolean;
  attempt: number;
  message_id: string | null;
  status_before: TicketStatus;
  last_message_at: string;
  /** It took the place of an answer to the trader, which is owed again when it fails. */
  owes_answer: boolean;
  ended_at: string | null;
}

/** Beyond so many attempts a reply is given up: it may be what takes its workers down. */
export const MAX_ATTEMPTS = 5;

/** Why a reply must not, or no longer, be written; null when it may be. The one place that decides it. */
export function obstacleOf(
  run: Pick<Run, 'kind' | 'allowed' | 'attempt' | 'last_message_at'>,
  ticket: Pick<TicketState, 'status' | 'ai_enabled' | 'last_from' | 'last_message_at'>,
): string | null {
  if (!run.allowed) return 'the firm’s allowance for this month is used up';
  if (isEnded(ticket.status)) return 'the ticket has ended';
  if (run.kind === 'answer' && (ticket.status !== 'open' || !ticket.ai_enabled))
    return 'the team has taken over';
  if (ticket.last_from === 'admin' && ticket.last_message_at !== run.last_message_at)
    return 'a teammate replied first';
  if (run.attempt >= MAX_ATTEMPTS) return `it was interrupted ${MAX_ATTEMPTS} times`;
  return null;
}

/** Locks a run and its ticket. Undefined where it went with its ticket. */
export async function lockRun(
  ctx: OperationContext,
  id: string,
): Promise<{ run: Run; ticket: TicketState } | undefined> {
  const db = sqlOf(ctx.em);
  const { rows: found } = await sql<Pick<Run, 'workspace_id' | 'ticket_id'>>`
    select workspace_id, ticket_id from assistant_runs where id = ${id}`.execute(db);
  if (!found[0]) return undefined;
  const ticket = await lockTicket(ctx, found[0].workspace_id, found[0].ticket_id);
  const { rows } = await sql<Run>`select * from assistant_runs where id = ${id} for update`.execute(db);
  return rows[0] && { run: rows[0], ticket };
}

/** The runs of a ticket that have not ended, oldest first. */
export async function pendingRuns({ em }: OperationContext, ticketId: string): Promise<Run[]> {
  const { rows } = await sql<Run>`
    select * from assistant_runs where ticket_id = ${ticketId} and ended_at is null
    order by id for update`.execute(sqlOf(em));
  return rows;
}

/** The job that writes the reply of a run. */
export const writeReplyJob = defineJob('assistant.reply', z.object({ run: z.string() }));

/** The key of a run's job, by which the job is found again. */
export const jobKeyOf = (runId: string) => `assistant.reply:${runId}`;

/** Enqueues the job of a run whose turn has come; one that has failed for good is replaced. */
export async function giveTurn(ctx: OperationContext, runId: string): Promise<void> {
  await enqueue(ctx, writeReplyJob, { run: runId }, { key: jobKeyOf(runId) });
}

/** Ends a run for good. The next run of its ticket has its turn then. */
export async function endRun(ctx: OperationContext, run: Run, state: 'done' | 'failed'): Promise<void> {
  await sql`
    update assistant_runs set state = ${state}, ended_at = ${ctx.now.toISOString()}
    where id = ${run.id}`.execute(sqlOf(ctx.em));
  const [next] = await pendingRuns(ctx, run.ticket_id);
  // An earlier one has had its turn already.
  if (next && BigInt(next.id) > BigInt(run.id)) await giveTurn(ctx, next.id);
}
