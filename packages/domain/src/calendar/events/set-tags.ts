import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Throws `validation_failed` for a tag that does not exist in the workspace. */
export async function checkTags({ db, workspace }: AccountContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db
    .selectFrom('tags')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .where('deleted_at', 'is', null)
    .where('id', 'in', [...ids])
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing >= 0) throw invalidField(`tag_ids[${missing}]`, 'must be the id of a tag in this workspace');
}

/** Replaces the tags of an event. Throws `validation_failed`. */
export async function setTags(ctx: AccountContext, eventId: number, ids: readonly number[]): Promise<void> {
  await checkTags(ctx, ids);
  const db = ctx.db;
  await db
    .deleteFrom('event_tags')
    .where('workspace_id', '=', ctx.workspace.id)
    .where('event_id', '=', eventId)
    .execute();
  const rows = [...new Set(ids)].map((tagId) => ({
    workspace_id: ctx.workspace.id,
    event_id: eventId,
    tag_id: tagId,
  }));
  if (rows.length > 0) await db.insertInto('event_tags').values(rows).execute();
}
