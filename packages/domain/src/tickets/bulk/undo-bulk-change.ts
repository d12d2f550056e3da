import { BULK_UNDO_SECONDS, type BulkChange } from '@firmdesk/contract';
import { sql } from 'kysely';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { isVisibleTo, lockBulkChange, runBulkChangeJob, toBulkChange } from './bulk-change-row.ts';

/**
 * Stops a bulk change if it is running, and starts to give the changed tickets their earlier values back, for the caller: their own, or
 * one that was stopped. Does nothing if it is being undone already. Throws `resource_not_found`, and `undo_expired` after
 * {@link BULK_UNDO_SECONDS} for one that has come to its end.
 */
export async function undoBulkChange(ctx: AccountContext, { id }: { id: string }): Promise<BulkChange> {
  const { db, workspace, identity, now } = ctx;
  const row = await lockBulkChange(ctx, workspace.id, id);
  if (!row || !isVisibleTo(row, identity.user.id)) throw new ApiError('resource_not_found');
  if (row.state === 'undoing' || row.state === 'undone') return toBulkChange(row);
  const isExpired =
    row.state === 'done' &&
    row.ended_at !== null &&
    now.getTime() - Date.parse(row.ended_at) > BULK_UNDO_SECONDS * 1_000;
  if (isExpired) throw new ApiError('undo_expired');
  await sql`
    update bulk_changes set state = 'undoing', undone_by = ${identity.user.id}, ended_at = null
    where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
  await enqueue(ctx, runBulkChangeJob, { workspace: workspace.id, id });
  return toBulkChange({ ...row, state: 'undoing', ended_at: null });
}
