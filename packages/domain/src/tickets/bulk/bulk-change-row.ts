import {
  type BulkChange,
  type BulkChangeAction,
  type LostRight,
  MAX_BULK_CHANGES,
  type StoppedBulkChanges,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Changes the tickets of a bulk change, or undoes that. */
export const runBulkChangeJob = defineJob(
  'tickets.bulk_change',
  z.object({ workspace: z.int(), id: z.string() }),
);

/** A row of `bulk_changes`. */
export interface BulkChangeRow {
  workspace_id: number;
  id: string;
  /** The account that started it. */
  user_id: string;
  /** The account that undoes it; null if it is not undone. */
  undone_by: string | null;
  action: BulkChangeAction;
  state: BulkChange['state'];
  stopped_because: LostRight | null;
  tickets: number;
  changed: number;
  skipped: number;
  undone: number;
  created_at: string;
  ended_at: string | null;
}

const columns = sql.raw(
  'workspace_id, id, user_id, undone_by, action, state, stopped_because, tickets, changed, skipped, undone, created_at, ended_at',
);

/** Locks and returns a bulk change; undefined if it has been deleted. The lock lasts until the transaction ends. */
export async function lockBulkChange(
  { db }: OperationContext,
  workspaceId: number,
  id: string,
): Promise<BulkChangeRow | undefined> {
  const { rows } = await sql<BulkChangeRow>`
    select ${columns} from bulk_changes where workspace_id = ${workspaceId} and id = ${id} for update`.execute(
    db,
  );
  return rows[0];
}

/** Locks and returns the bulk changes of a firm that run or are being undone. */
export async function lockUnfinished(
  { db }: OperationContext,
  workspaceId: number,
): Promise<BulkChangeRow[]> {
  const { rows } = await sql<BulkChangeRow>`
    select ${columns} from bulk_changes where workspace_id = ${workspaceId} and ended_at is null
    order by id for update`.execute(db);
  return rows;
}

/** Returns whether an account may see and undo a bulk change: its own, and one that was stopped because its account lost its rights. */
export function isVisibleTo(
  { user_id, stopped_because }: Pick<BulkChangeRow, 'user_id' | 'stopped_because'>,
  userId: string,
): boolean {
  return user_id === userId || stopped_because !== null;
}

/** Returns a bulk change that the caller may see. Throws `resource_not_found`. */
export async function readBulkChange(
  { db, workspace, identity }: AccountContext,
  id: string,
): Promise<BulkChangeRow> {
  const { rows } = await sql<BulkChangeRow>`
    select ${columns} from bulk_changes
    where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
  if (!rows[0] || !isVisibleTo(rows[0], identity.user.id)) throw new ApiError('resource_not_found');
  return rows[0];
}

/** Returns the bulk changes of the firm that were stopped and not undone, newest first. */
export async function listStoppedBulkChanges({
  db,
  workspace,
}: AccountContext): Promise<z.infer<typeof StoppedBulkChanges>> {
  const { rows } = await sql<BulkChangeRow>`
    select ${columns} from bulk_changes where workspace_id = ${workspace.id} and state = 'stopped'
    order by created_at desc, id desc limit ${MAX_BULK_CHANGES}`.execute(db);
  return { data: rows.map(toBulkChange) };
}

export function toBulkChange({ workspace_id, user_id, undone_by, ...row }: BulkChangeRow): BulkChange {
  return { object: 'bulk_change', ...row };
}
