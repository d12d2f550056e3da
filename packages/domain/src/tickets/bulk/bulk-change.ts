import {
  type BulkChange as BulkChangeOfContract,
  MAX_BULK_CHANGES,
  type StoppedBulkChanges,
} from '@firmdesk/contract';
import { LockMode } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { BulkChange } from './bulk-change.entity.ts';

/** Changes the tickets of a bulk change, or undoes that. */
export const runBulkChangeJob = defineJob(
  'tickets.bulk_change',
  z.object({ workspace: z.int(), id: z.string() }),
);

/** Locks and returns a bulk change; null if it has been deleted. The lock lasts until the transaction ends. */
export function lockBulkChange(
  { em }: OperationContext,
  workspaceId: number,
  id: string,
): Promise<BulkChange | null> {
  return em.findOne(BulkChange, { workspaceId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Locks and returns the bulk changes of a firm that run or are being undone. */
export function lockUnfinished({ em }: OperationContext, workspaceId: number): Promise<BulkChange[]> {
  const unfinished = { workspaceId, endedAt: null };
  return em.find(BulkChange, unfinished, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Returns whether an account may see and undo a bulk change: its own, and one that was stopped because its account lost its rights. */
export function isVisibleTo({ userId, stoppedBecause }: BulkChange, account: string): boolean {
  return userId === account || stoppedBecause != null;
}

/** Returns a bulk change that the caller may see. Throws `resource_not_found`. */
export async function readBulkChange(
  { em, workspace, identity }: AccountContext,
  id: string,
): Promise<BulkChange> {
  const change = await em.findOneOrFail(BulkChange, { workspaceId: workspace.id, id });
  if (!isVisibleTo(change, identity.user.id)) throw new ApiError('resource_not_found');
  return change;
}

/** Returns the bulk changes of the firm that were stopped and not undone, newest first. */
export async function listStoppedBulkChanges({
  em,
  workspace,
}: AccountContext): Promise<z.infer<typeof StoppedBulkChanges>> {
  const changes = await em.find(
    BulkChange,
    { workspaceId: workspace.id, state: 'stopped' },
    { orderBy: { createdAt: 'desc', id: 'desc' }, limit: MAX_BULK_CHANGES },
  );
  return { data: changes.map(toBulkChange) };
}

export function toBulkChange(change: BulkChange): BulkChangeOfContract {
  const { id, action, state, tickets, changed, skipped, undone } = change;
  return {
    object: 'bulk_change',
    id,
    action,
    state,
    stopped_because: change.stoppedBecause ?? null,
    tickets,
    changed,
    skipped,
    undone,
    created_at: change.createdAt.toISOString(),
    ended_at: change.endedAt?.toISOString() ?? null,
  };
}
