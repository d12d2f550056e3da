import type { Services } from '../../platform/services.ts';
import type { DataRequestRow } from './data-request.entity.ts';

/** The key of the file of an export. It is in the folder of the firm, which is deleted with the firm. */
export function fileKey(workspaceId: number, id: string): string {
  return `${workspaceId}/exports/${id}`;
}

/** Deletes the files of earlier exports of the same, so that as many are stored as there are people, and one of the firm. The requests stay in the list. */
export async function deleteEarlierFiles(
  { pool, objects }: Services,
  {
    workspaceId,
    id,
    kind,
    personId = null,
  }: Pick<DataRequestRow, 'workspaceId' | 'id' | 'kind' | 'personId'>,
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from data_requests
     where workspace_id = $1 and id <> $2 and kind = $3 and person_id is not distinct from $4 and size is not null`,
    [workspaceId, id, kind, personId],
  );
  const ids = rows.map((row) => row.id);
  await objects.delete(ids.map((one) => fileKey(workspaceId, one)));
  await pool.query('update data_requests set size = null where workspace_id = $1 and id = any($2)', [
    workspaceId,
    ids,
  ]);
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
