import { sql } from 'kysely';
import type { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import type { Services } from '../../platform/services.ts';
import { refreshDueTimesJob } from '../../sla/index.ts';
import { refreshDueTimes } from '../changes/changes.ts';
import { groupCondition } from '../list/filters.ts';
import { lockTickets } from '../ticket-state.ts';

/** Requests the job if the firm has targets. Requests that wait are one. */
export async function requestDueTimes(ctx: OperationContext, workspace: number): Promise<void> {
  const { rows } = await sql`
    select id from workspaces where id = ${workspace} and sla_policy is not null`.execute(ctx.db);
  if (rows.length > 0)
    await enqueue(ctx, refreshDueTimesJob, { workspace }, { key: `tickets.refresh_due:${workspace}` });
}

/** The tickets that one transaction locks. */
const BATCH = 100;
/** After this many batches a job requests the next one, so that it takes turns with other jobs. */
const BATCHES_PER_JOB = 20;

/**
 * Handles {@link refreshDueTimesJob}: a batch of tickets per transaction, in the order of their ids. A job that is repeated after a crash
 * begins again, and changes nothing of tickets whose due times are right.
 */
export async function refreshAllDueTimes(
  services: Services,
  { workspace, after }: z.infer<(typeof refreshDueTimesJob)['payload']>,
  signal?: AbortSignal,
): Promise<void> {
  let last = after ?? '';
  for (let count = 1; ; count++) {
    const isLast = count === BATCHES_PER_JOB || signal?.aborted === true;
    const next = await withTransaction(services, async (ctx) => {
      const next = await refreshBatch(ctx, workspace, last);
      if (next !== null && isLast) await enqueue(ctx, refreshDueTimesJob, { workspace, after: next });
      return next;
    });
    if (next === null || isLast) return;
    last = next;
  }
}

/** Returns the id of the last ticket of the batch; null if there are no more. */
async function refreshBatch(
  ctx: OperationContext,
  workspaceId: number,
  after: string,
): Promise<string | null> {
  const db = ctx.db;
  const { rows } = await sql<{ id: string }>`
    select t.id from tickets t
    where t.workspace_id = ${workspaceId} and ${sql.raw(groupCondition('open'))} and t.id > ${after}
    order by t.id limit ${BATCH}`.execute(db);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return null;
  const locked = await lockTickets(ctx, workspaceId, ids);
  const replies = await firstReplies(ctx, workspaceId, ids);
  for (const { ticket } of locked) await refreshDueTimes(ctx, ticket, replies.get(ticket.id) ?? null);
  return ids.length < BATCH ? null : ids.at(-1)!;
}

/** Returns when the team first replied, by ticket. Tickets that are imported, or older than this column, do not know it. */
async function firstReplies(
  { db }: OperationContext,
  workspaceId: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ ticket_id: string; at: string }>`
    select ticket_id, min(created_at) as at from ticket_messages
    where workspace_id = ${workspaceId} and ticket_id = any(${ids}::text[]) and from_kind = 'admin' and not internal
    group by ticket_id`.execute(db);
  return new Map(rows.map(({ ticket_id, at }) => [ticket_id, at]));
}
