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
  await sql`${deferred}
    with used as (
      update workspaces set assistant_period = ${month}::date,
        assistant_used = case when assistant_period = ${month}::date then assistant_used + 1 else 1 end
      where id = ${run.workspace_id} and assistant_monthly_allowance >
        case when assistant_period = ${month}::date then assistant_used else 0 end
      returning id)
    update assistant_runs set allowed = false
    where workspace_id = ${run.workspace_id} and id = ${run.id} and not exists (select from used)`.execute(
    sqlOf(em),
  );
}
