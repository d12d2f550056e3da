import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { deferred, executeTogether } from '../platform/prepared.ts';

/**
 * Uses one reply of the firm's allowance for this calendar month (UTC). If none is left, the run is not allowed. A request
 * counts even if its reply fails (contract §3.1, G-27). The count is not in `workspaces`, which a distributed installation copies to every
 * server: a write to it makes the writes of all firms wait.
 */
export async function consumeAllowance(
  { em, now }: OperationContext,
  run: { id: string; workspace_id: number },
): Promise<void> {
  const { id, workspace_id } = run;
  const month = monthOf(now);
  const isOf = sql`u.workspace_id = ${workspace_id} and w.id = ${workspace_id}`;
  // The first locks the count, so that the others see the same. They are sent together.
  await sql`${deferred} ${beginMonth(workspace_id, month)}`.execute(sqlOf(em));
  await sql`${deferred} update assistant_runs set allowed = false
    where workspace_id = ${workspace_id} and id = ${id} and exists (
      select from assistant_usage u, workspaces w where ${isOf} and u.used >= w.assistant_monthly_allowance)`.execute(
    sqlOf(em),
  );
  await sql`${deferred} update assistant_usage u set used = u.used + 1 from workspaces w
    where ${isOf} and u.used < w.assistant_monthly_allowance`.execute(sqlOf(em));
}

/** Uses one reply of the firm's allowance for this calendar month (UTC) for a draft. Returns whether one was left. */
export async function consumeForDraft({ em, now }: OperationContext, workspaceId: number): Promise<boolean> {
  const db = sqlOf(em);
  const take = sql<{ used: number }>`
    update assistant_usage u set used = u.used + 1 from workspaces w
    where u.workspace_id = ${workspaceId} and w.id = ${workspaceId} and u.used < w.assistant_monthly_allowance
    returning u.used`;
  const [, taken] = await executeTogether(db, beginMonth(workspaceId, monthOf(now)), take);
  return taken.length > 0;
}

/** Returns the statement that locks the firm's count, after it has set the count of an earlier month to 0. */
function beginMonth(workspaceId: number, month: string) {
  return sql`insert into assistant_usage as u (workspace_id, month) values (${workspaceId}, ${month})
    on conflict (workspace_id) do update set month = excluded.month,
      used = case when u.month = excluded.month then u.used else 0 end`;
}

function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}
