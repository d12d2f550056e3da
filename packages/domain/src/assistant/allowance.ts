import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { deferred } from '../platform/prepared.ts';

/**
 * Uses one reply of the firm's allowance for this calendar month (UTC). If none is left, the run is not allowed. A request
 * counts even if its reply fails (contract §3.1, G-27).
 */
export async function consumeAllowance(
  { em, now }: OperationContext,
  run: { id: string; workspace_id: number },
): Promise<void> {
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const firm = sql`workspaces where id = ${run.workspace_id}`;
  const hasLeft = sql`assistant_monthly_allowance >
    case when assistant_period = ${month}::date then assistant_used else 0 end`;
  // Three statements, because on Citus one statement cannot write to a firm's table and to `workspaces`. The lock makes the second and
  // the third see the same allowance. They are sent together.
  await sql`${deferred} select from ${firm} for no key update`.execute(sqlOf(em));
  await sql`${deferred} update assistant_runs set allowed = false
    where workspace_id = ${run.workspace_id} and id = ${run.id} and not exists (select from ${firm} and ${hasLeft})`.execute(
    sqlOf(em),
  );
  await sql`${deferred} update workspaces set assistant_period = ${month}::date,
      assistant_used = case when assistant_period = ${month}::date then assistant_used + 1 else 1 end
    where id = ${run.workspace_id} and ${hasLeft}`.execute(sqlOf(em));
}
