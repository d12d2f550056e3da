import { sqlOf } from '../platform/database.ts';
import { invalidField } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Raises `validation_failed` for a tag that the workspace does not have. */
export async function checkTags({ em, workspace }: AccountContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await sqlOf(em)
    .selectFrom('tags')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .where('deleted_at', 'is', null)
    .where('id', 'in', [...ids])
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing >= 0) throw invalidField(`tag_ids[${missing}]`, 'is no tag of this workspace');
}

/** Gives an event these tags and no others. Raises `validation_failed`. */
export async function setTags(ctx: AccountContext, eventId: number, ids: readonly number[]): Promise<void> {
  await checkTags(ctx, ids);
  const db = sqlOf(ctx.em);
  await db.deleteFrom('event_tags').where('event_id', '=', eventId).execute();
  const rows = [...new Set(ids)].map((tagId) => ({ event_id: eventId, tag_id: tagId }));
  if (rows.length > 0) await db.insertInto('event_tags').values(rows).execute();
}
