import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';

/**
 * Uses one reply of the firm's allowance for this calendar month (UTC). Returns false if none is left. A request
 * counts even if its reply fails (contract §3.1, G-27).
 */
export async function consumeAllowance({ em, now }: OperationContext, workspaceId: number): Promise<boolean> {
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const { numAffectedRows } = await sql`
    update workspaces set assistant_period = ${month}::date,
      assistant_used = case when assistant_period = ${month}::date then assistant_used + 1 else 1 end
    where id = ${workspaceId} and assistant_monthly_allowance >
      case when assistant_period = ${month}::date then assistant_used else 0 end`.execute(sqlOf(em));
  return numAffectedRows === 1n;
}
