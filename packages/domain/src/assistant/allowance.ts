import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { deferred } from '../platform/prepared.ts';

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
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const isOf = sql`u.workspace_id = ${workspace_id} and w.id = ${workspace_id}`;
  // The first locks the count, so that the others see the same. They are sent together.
  await sql`${deferred} insert into assistant_usage as u (workspace_id, month) values (${workspace_id}, ${month})
    on conflict (workspace_id) do update set month = excluded.month,
      used = case when u.month = excluded.month then u.used else 0 end`.execute(sqlOf(em));
  await sql`${deferred} update assistant_runs set allowed = false
    where workspace_id = ${workspace_id} and id = ${id} and exists (
      select from assistant_usage u, workspaces w where ${isOf} and u.used >= w.assistant_monthly_allowance)`.execute(
    sqlOf(em),
  );
  await sql`${deferred} update assistant_usage u set used = u.used + 1 from workspaces w
    where ${isOf} and u.used < w.assistant_monthly_allowance`.execute(sqlOf(em));
}
