import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';

/** Counts a sent reply for each of its macros. Ids of other firms, and of macros that were deleted, have no effect. */
export async function countMacroUse(
  { db, now }: OperationContext,
  workspaceId: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update macros set used = used + 1, last_used_at = ${now.toISOString()}
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])`.execute(db);
}
