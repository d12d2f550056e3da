import type { Services } from '../../platform/services.ts';

/** The key of the file of an export. It is in the folder of the firm, which is deleted with the firm. */
export function fileKey(workspaceId: number, id: string): string {
  return `${workspaceId}/exports/${id}`;
}

/** Deletes the exports of a person, whom the firm forgets. Exports of the whole firm end by their age. */
export async function deletePersonExports(
  { pool, objects }: Services,
  workspaceId: number,
  personId: string,
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from data_requests where workspace_id = $1 and person_id = $2 and kind = 'export_person'`,
    [workspaceId, personId],
  );
  const ids = rows.map(({ id }) => id);
  await objects.delete(ids.map((id) => fileKey(workspaceId, id)));
  await pool.query('delete from data_requests where workspace_id = $1 and id = any($2)', [workspaceId, ids]);
}
