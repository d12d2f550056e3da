import type { LostRight } from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { lostRight } from '../../access/lost-right.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { defineJob, enqueue } from '../../platform/jobs/jobs.ts';
import type { Services } from '../../platform/services.ts';
import { lockTicket, type PendingRun, type TicketState } from '../../tickets/index.ts';
import { type HandOver, handOverOf } from '../hand-over.ts';

/** The states of a run. `done` and `failed` are final; the table in `run.ts` lists the transitions. */
export type RunState = 'waiting' | 'running' | 'done' | 'failed';

/** A row of `assistant_runs`. Only the moves of `run.ts` change it. */
export interface Run extends Omit<PendingRun, 'state'> {
  state: RunState;
  instruction: string | null;
  /** Why the account that gave the command may no longer do so; null if it may, and for an answer. */
  lost_right: LostRight | null;
  /** What decides whether the answer is left to the team; null if nothing does. */
  hand_over: HandOver | null;
  ended_at: string | null;
}

/** Identifies a run. */
export interface RunRef {
  workspaceId: number;
  runId: string;
}

/** One attempt at a run. Only the latest attempt of a run may write. */
export interface Attempt extends RunRef {
  attempt: number;
}

const columnsOf = (workspaceId: number) =>
  sql`${sql.raw(
    `id::text as id, workspace_id, ticket_id, kind, state, allowed, attempt, message_id, status_before, last_message_at,
  replaced_answer, instruction, ended_at,
  case when asked_by is not null then ${lostRight('assistant_runs.asked_by', 'assistant_runs.workspace_id')} end as lost_right`,
  )}, ${handOverOf(workspaceId)}`;

/** Locks a run and its ticket. Returns undefined if they no longer exist. */
export async function lockRun(
  ctx: OperationContext,
  { workspaceId, runId }: RunRef,
): Promise<{ run: Run; ticket: TicketState } | undefined> {
  const db = ctx.db;
  const { rows: found } = await sql<Pick<Run, 'ticket_id'>>`
    select ticket_id from assistant_runs where workspace_id = ${workspaceId} and id = ${runId}`.execute(db);
  if (!found[0]) return undefined;
  const ticket = await lockTicket(ctx, workspaceId, found[0].ticket_id);
  const { rows } = await sql<Run>`
    select ${columnsOf(workspaceId)} from assistant_runs
    where workspace_id = ${workspaceId} and id = ${runId} for update`.execute(db);
  return rows[0] && { run: rows[0], ticket };
}

/** Returns whether the attempt may still write: its run has not ended, and no later attempt has started. */
export async function isLatest(
  { pool }: Pick<Services, 'pool'>,
  { workspaceId, runId, attempt }: Attempt,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from assistant_runs where workspace_id = $1 and id = $2 and attempt = $3 and state = 'running'`,
    [workspaceId, runId, attempt],
  );
  return rowCount === 1;
}

/** The job that writes the reply of a run; `run` is its id. */
export const writeReplyJob = defineJob('assistant.reply', z.object({ workspace: z.int(), run: z.string() }));

/** Returns the key of a run's job. */
export const jobKeyOf = (runId: string) => `assistant.reply:${runId}`;

/** Enqueues the job of a run whose turn it is. Replaces a job of the run that has failed for good. */
export async function enqueueRun(ctx: OperationContext, { workspaceId, runId }: RunRef): Promise<void> {
  const payload = { workspace: workspaceId, run: runId };
  await enqueue(ctx, writeReplyJob, payload, { key: jobKeyOf(runId) });
}
