import type { TicketStatus } from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { defineJob, enqueue } from '../platform/jobs.ts';
import { prepared } from '../platform/prepared.ts';
import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';
import { lockTicket, type TicketState } from '../tickets/index.ts';

/** The states of a run. `done` and `failed` are final; the table in `run.ts` lists the transitions. */
export type RunState = 'waiting' | 'running' | 'done' | 'failed';

/** A row of `assistant_runs`. Only the moves of `run.ts` change it. */
export interface Run {
  id: string;
  workspace_id: number;
  ticket_id: string;
  kind: 'command' | 'answer';
  instruction: string | null;
  state: RunState;
  /** Whether the run is within the firm's allowance. */
  allowed: boolean;
  attempt: number;
  message_id: string | null;
  /** The ticket's status before the run. A failure restores it if `last_message_at` is still that of the ticket. */
  status_before: TicketStatus;
  last_message_at: string;
  /** Whether the command replaced an answer to the trader. If the command fails, that answer is requested again. */
  replaced_answer: boolean;
  ended_at: string | null;
}

/** One attempt at a run. Only the latest attempt of a run may write. */
export interface Attempt {
  workspaceId: number;
  runId: string;
  attempt: number;
}

/** The columns of a run. The table keeps the name `owes_answer`, which processes of an earlier version write during an update. */
const COLUMNS = sql.raw('*, id::text as id, owes_answer as replaced_answer');

/** Locks and returns the pending runs of a locked ticket, oldest first. */
export async function pendingRuns(
  { em }: OperationContext,
  ticket: Pick<TicketState, 'workspace_id' | 'id'>,
): Promise<Run[]> {
  const { rows } = await sql<Run>`${prepared}
    select ${COLUMNS} from assistant_runs
    where workspace_id = ${ticket.workspace_id} and ticket_id = ${ticket.id} and ended_at is null
    order by assistant_runs.id for update`.execute(sqlOf(em));
  return rows;
}

/** Locks a run and its ticket. Returns undefined if they no longer exist. */
export async function lockRun(
  ctx: OperationContext,
  id: string,
): Promise<{ run: Run; ticket: TicketState } | undefined> {
  const db = sqlOf(ctx.em);
  const { rows: found } = await sql<Pick<Run, 'workspace_id' | 'ticket_id'>>`
    select workspace_id, ticket_id from assistant_runs where id = ${id}`.execute(db);
  if (!found[0]) return undefined;
  const ticket = await lockTicket(ctx, found[0].workspace_id, found[0].ticket_id);
  const { rows } = await sql<Run>`
    select ${COLUMNS} from assistant_runs where id = ${id} for update`.execute(db);
  return rows[0] && { run: rows[0], ticket };
}

/** Returns whether the attempt may still write: its run has not ended, and no later attempt has started. */
export async function isLatest(
  { pool }: Pick<Services, 'pool'>,
  { runId, attempt }: Attempt,
): Promise<boolean> {
  const { rowCount } = await queryPool(
    pool,
    `select from assistant_runs where id = $1 and attempt = $2 and state = 'running'`,
    [runId, attempt],
  );
  return rowCount === 1;
}

/** The job that writes the reply of a run; `run` is its id. */
export const writeReplyJob = defineJob('assistant.reply', z.object({ run: z.string() }));

/** Returns the key of a run's job. */
export const jobKeyOf = (runId: string) => `assistant.reply:${runId}`;

/** Enqueues the job of a run whose turn it is. Replaces a job of the run that has failed for good. */
export async function enqueueRun(ctx: OperationContext, workspaceId: number, runId: string): Promise<void> {
  await enqueue(ctx, writeReplyJob, { run: runId }, { workspaceId, key: jobKeyOf(runId) });
}
