import { BULK_UNDO_SECONDS, type BulkChange } from '@firmdesk/contract';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { isVisibleTo, lockBulkChange, runBulkChangeJob, toBulkChange } from './bulk-change.ts';

/**
 * Stops a bulk change if it is running, and starts to give the changed tickets their earlier values back, for the caller: their own, or
 * one that was stopped. Does nothing if it is being undone already. Throws `resource_not_found`, and `undo_expired` after
 * {@link BULK_UNDO_SECONDS} for one that has come to its end.
 */
export async function undoBulkChange(ctx: AccountContext, { id }: { id: string }): Promise<BulkChange> {
  const { workspace, identity, now } = ctx;
  const change = await lockBulkChange(ctx, workspace.id, id);
  if (!change || !isVisibleTo(change, identity.user.id)) throw new ApiError('resource_not_found');
  if (change.state === 'undoing' || change.state === 'undone') return toBulkChange(change);
  const isExpired =
    change.state === 'done' &&
    change.endedAt != null &&
    now.getTime() - change.endedAt.getTime() > BULK_UNDO_SECONDS * 1_000;
  if (isExpired) throw new ApiError('undo_expired');
  change.state = 'undoing';
  change.undoneBy = identity.user.id;
  change.endedAt = null;
  await enqueue(ctx, runBulkChangeJob, { workspace: workspace.id, id });
  return toBulkChange(change);
}
