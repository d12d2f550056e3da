import type { BulkChange, BulkChangeAction } from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../../platform/context.ts';
import { sqlOf } from '../../platform/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { defineJob } from '../../platform/jobs.ts';
import { prepared } from '../../platform/prepared.ts';
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
  action: BulkChangeAction;
  state: BulkChange['state'];
  tickets: number;
  changed: number;
  skipped: number;
  undone: number;
  created_at: string;
  ended_at: string | null;
}

const columns = sql.raw(
  'workspace_id, id, user_id, action, state, tickets, changed, skipped, undone, created_at, ended_at',
);

/** Locks and returns a bulk change; undefined if it has been deleted. The lock lasts until the transaction ends. */
export async function lockBulkChange(
  { em }: OperationContext,
  workspaceId: number,
  id: string,
): Promise<BulkChangeRow | undefined> {
  const { rows } = await sql<BulkChangeRow>`${prepared}
    select ${columns} from bulk_changes where workspace_id = ${workspaceId} and id = ${id} for update`.execute(
    sqlOf(em),
  );
  return rows[0];
}

/** Returns a bulk change of the caller. Throws `resource_not_found`, also for one of another account. */
export async function readBulkChange(
  { em, workspace, identity }: AccountContext,
  id: string,
): Promise<BulkChangeRow> {
  const { rows } = await sql<BulkChangeRow>`${prepared}
    select ${columns} from bulk_changes
    where workspace_id = ${workspace.id} and id = ${id} and user_id = ${identity.user.id}`.execute(sqlOf(em));
  if (!rows[0]) throw new ApiError('resource_not_found');
  return rows[0];
}

export function toBulkChange({ workspace_id, user_id, ...row }: BulkChangeRow): BulkChange {
  return { object: 'bulk_change', ...row };
}
