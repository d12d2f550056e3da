import { type RawBuilder, sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import type { PendingRun } from '../tickets/index.ts';

/**
 * Uses one reply of the firm's allowance for this calendar month (UTC). If none is left, the run is not allowed. A request
 * counts even if its reply fails (contract §3.1, G-27). The count is not in `workspaces`, which a distributed installation copies to every
 * server: a write to it makes the writes of all firms wait.
 */
export async function consumeAllowance(
  ctx: OperationContext,
  { id, workspace_id }: { id: string; workspace_id: number },
): Promise<void> {
  if (await takeReply(ctx, workspace_id)) return;
  await sql`
    update assistant_runs set allowed = false
    where workspace_id = ${workspace_id} and id = ${id}`.execute(ctx.db);
}

/** Gives back what a run has used of the allowance of the current month, if the model was not asked and never will be. */
export async function returnAllowance(
  { db }: OperationContext,
  { id, workspace_id, allowed, attempt }: Pick<PendingRun, 'id' | 'workspace_id' | 'allowed' | 'attempt'>,
): Promise<void> {
  if (!allowed || attempt > 0) return;
  const { rows } = await sql<{ created_at: string }>`
    select created_at from assistant_runs where workspace_id = ${workspace_id} and id = ${id}`.execute(db);
  const used = new Date(rows[0]!.created_at);
  await sql`
    update assistant_usage u set used = u.used - 1, days = ${countDay(used, -1)}
    where u.workspace_id = ${workspace_id} and u.used > 0 and u.month = ${monthOf(used)}`.execute(db);
}

/** Uses one reply of the firm's allowance for this calendar month (UTC). Returns whether one was left. */
export async function takeReply({ db, now }: OperationContext, workspaceId: number): Promise<boolean> {
  await beginMonth(workspaceId, monthOf(now)).execute(db);
  const { rows } = await sql`
    update assistant_usage u set used = u.used + 1, days = ${countDay(now, 1)} from workspaces w
    where u.workspace_id = ${workspaceId} and w.id = ${workspaceId} and u.used < w.assistant_monthly_allowance
    returning u.used`.execute(db);
  return rows.length > 0;
}

/** Returns the statement that locks the firm's count, after it has set the count of an earlier month to 0. */
function beginMonth(workspaceId: number, month: string) {
  return sql`insert into assistant_usage as u (workspace_id, month) values (${workspaceId}, ${month})
    on conflict (workspace_id) do update set month = excluded.month,
      used = case when u.month = excluded.month then u.used else 0 end,
      days = case when u.month = excluded.month then u.days else '{}' end`;
}

/** Returns the counts of `u` by day (UTC) with another one on a day. */
function countDay(at: Date, count: 1 | -1): RawBuilder<unknown> {
  const day = sql`${at.toISOString().slice(0, 10)}::text`;
  return sql`u.days || jsonb_build_object(${day}, greatest(0, coalesce((u.days->>${day})::integer, 0) + ${count}::integer))`;
}

function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}
