import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError } from '../platform/process/errors.ts';

/** The bytes of the files that a firm has, and the most that it may have. */
interface StorageUse {
  used: number;
  limit: number;
}

/** Returns what the files of a firm take; null if it has no limit. Files that are announced count, deleted ones do not. */
export async function storageUse(
  { db }: Pick<OperationContext, 'db'>,
  workspaceId: number,
): Promise<StorageUse | null> {
  const { rows } = await sql<{ storage_limit: string | null }>`
    select storage_limit from workspaces where id = ${workspaceId}`.execute(db);
  const limit = rows[0]?.storage_limit ?? null;
  if (limit === null) return null;
  const { rows: sums } = await sql<{ used: number }>`
    select coalesce(sum(size), 0)::float8 as used from attachments
    where workspace_id = ${workspaceId} and deleted_at is null`.execute(db);
  return { used: sums[0]!.used, limit: Number(limit) };
}

/** Throws `attachment_limit_reached` if the firm has no room for a file. Received mail is stored all the same. */
export async function requireRoom(
  ctx: Pick<OperationContext, 'db'>,
  workspaceId: number,
  size: number,
): Promise<void> {
  const use = await storageUse(ctx, workspaceId);
  if (use && use.used + size > use.limit)
    throw new ApiError('attachment_limit_reached', {
      message: 'The storage of the firm is full: delete files, or ask for a higher limit.',
    });
}
