import type { TicketTag } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { invalidField } from '../../platform/process/errors.ts';

type Tag = z.infer<typeof TicketTag>;

/** Returns tags of the firm, in the order of responses. Throws `validation_failed` for one that is deleted or not of the firm. */
export async function findTags(
  { db, workspace }: Pick<OperationContext, 'db'> & { workspace: { id: number } },
  ids: readonly number[],
  field: string,
): Promise<Tag[]> {
  const { rows: tags } = await sql<Tag>`
    select id, name, color from tags
    where workspace_id = ${workspace.id} and id = any(${ids}::integer[]) and deleted_at is null
    order by lower(name), id`.execute(db);
  const known = new Set(tags.map(({ id }) => id));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalidField(`${field}[${unknown}]`, 'must be the id of a tag of this firm');
  return tags;
}

/** Returns all tags of the firm, in the order of responses. */
export async function listTags({
  db,
  workspace,
}: Pick<OperationContext, 'db'> & { workspace: { id: number } }): Promise<Tag[]> {
  const { rows } = await sql<Tag>`
    select id, name, color from tags where workspace_id = ${workspace.id} and deleted_at is null
    order by lower(name), id`.execute(db);
  return rows;
}
