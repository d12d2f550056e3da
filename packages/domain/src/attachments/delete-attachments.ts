import type { Services } from '../platform/services.ts';
import { objectKey, thumbnailKey } from './attachment-row.ts';

/**
 * Deletes at most `limit` files of a firm, the content before the row: an interrupted deletion is continued by the next one. Files are marked
 * as deleted first: an upload that ends between the two finds no file, instead of a store that has lost its content. Returns how many.
 *
 * @param ids only these, which nobody can send any more; by default all
 */
export async function deleteAttachments(
  { pool, objects, clock }: Services,
  workspaceId: number,
  limit: number,
  ids: readonly string[] | null = null,
): Promise<number> {
  const { rows } = await pool.query<{ id: string; contents: (string | null)[] }>(
    `update attachments set deleted_at = coalesce(deleted_at, $4)
     where workspace_id = $1 and id = any(array(
       select id from attachments where workspace_id = $1 and ($2::text[] is null or id = any($2)) order by id limit $3))
     returning id, uploads || content || null::text as contents`,
    [workspaceId, ids, limit, clock.now().toISOString()],
  );
  const found = rows.map(({ id }) => id);
  if (found.length === 0) return 0;
  await objects.delete(
    rows.flatMap(({ id, contents }) => [
      ...new Set(contents.map((content) => objectKey(workspaceId, id, content))),
      thumbnailKey(workspaceId, id),
    ]),
  );
  await pool.query('delete from attachments where workspace_id = $1 and id = any($2)', [workspaceId, found]);
  return found.length;
}
