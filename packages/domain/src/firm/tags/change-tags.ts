import {
  type CreateTagInput,
  type FirmTag,
  MAX_TAGS,
  type MergeTagsInput,
  type UpdateTagInput,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { recordAudit } from '../../access/audit/audit.ts';
import { listTags } from '../../access/workspaces/find-tags.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { replaceTagInRules } from '../../tickets/index.ts';
import { beginChange } from '../firm-changes.ts';
import { readTag, tagUses } from './list-tags.ts';

/** Creates a tag. Throws `validation_failed` for a name that another tag has. */
export async function createTag(
  caller: AccountContext,
  { name, color }: z.output<typeof CreateTagInput>,
): Promise<FirmTag> {
  const ctx = await beginChange(caller, 'tags');
  const { db, workspace, now } = ctx;
  const others = await listTags(ctx);
  ensureUnique(others, name);
  if (others.length >= MAX_TAGS)
    throw invalidField('name', `there are ${MAX_TAGS} tags already: delete or merge some first`);
  const { rows } = await sql<{ id: number }>`
    insert into tags (workspace_id, name, color, created_at) values (${workspace.id}, ${name}, ${color}, ${now.toISOString()})
    returning id`.execute(db);
  const { id } = rows[0]!;
  await recordAudit(ctx, workspace.id, { action: 'tag.created', target: target(id), after: { name, color } });
  return readTag(ctx, id);
}

/** Changes the name and the colour of a tag. Throws `resource_not_found`, and as {@link createTag}. */
export async function updateTag(
  caller: AccountContext,
  { id, ...changes }: z.output<typeof UpdateTagInput>,
): Promise<FirmTag> {
  const ctx = await beginChange(caller, 'tags');
  const { db, workspace } = ctx;
  const before = await readTag(ctx, id);
  const { name = before.name, color = before.color } = changes;
  if (name === before.name && color === before.color) return before;
  ensureUnique(
    (await listTags(ctx)).filter((other) => other.id !== id),
    name,
  );
  await sql`
    update tags set name = ${name}, color = ${color}
    where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
  await recordAudit(ctx, workspace.id, {
    action: 'tag.changed',
    target: target(id),
    before: { name: before.name, color: before.color },
    after: { name, color },
  });
  return readTag(ctx, id);
}

/** Gives whatever has a tag another one in its place, and deletes it. Throws `resource_not_found`. */
export async function mergeTags(
  caller: AccountContext,
  { id, into }: z.output<typeof MergeTagsInput>,
): Promise<FirmTag> {
  const ctx = await beginChange(caller, 'tags');
  const { db, workspace } = ctx;
  const before = await readTag(ctx, id);
  if (into === id) throw invalidField('into', 'must be the id of another tag');
  await readTag(ctx, into);
  for (const { table, column } of Object.values(tagUses)) {
    await sql`
      insert into ${sql.table(table)} (workspace_id, ${sql.ref(column)}, tag_id)
      select ${workspace.id}, x.${sql.ref(column)}, ${into} from ${sql.table(table)} x
      where x.workspace_id = ${workspace.id} and x.tag_id = ${id}
      on conflict do nothing`.execute(db);
    await sql`
      delete from ${sql.table(table)} where workspace_id = ${workspace.id} and tag_id = ${id}`.execute(db);
  }
  await sql`
    update macros set tag_ids = case when ${into} = any(tag_ids) then array_remove(tag_ids, ${id}) else array_replace(tag_ids, ${id}, ${into}) end
    where workspace_id = ${workspace.id} and ${id} = any(tag_ids)`.execute(db);
  await replaceTagInRules(ctx, workspace.id, id, into);
  await endTag(ctx, id);
  await recordAudit(ctx, workspace.id, {
    action: 'tag.merged',
    target: target(id),
    before: usesOf(before),
    after: { into },
  });
  return readTag(ctx, into);
}

/** Deletes a tag: nothing shows it any more. Throws `resource_not_found`. */
export async function deleteTag(caller: AccountContext, { id }: { id: number }): Promise<void> {
  const ctx = await beginChange(caller, 'tags');
  const before = await readTag(ctx, id);
  await endTag(ctx, id);
  await recordAudit(ctx, ctx.workspace.id, {
    action: 'tag.deleted',
    target: target(id),
    before: usesOf(before),
  });
}

const target = (id: number) => ({ type: 'tag' as const, id: String(id) });

function usesOf({ name, tickets, conversations, events }: FirmTag) {
  return { name, tickets, conversations, events };
}

async function endTag({ db, workspace, now }: AccountContext, id: number): Promise<void> {
  await sql`
    update tags set deleted_at = ${now.toISOString()}
    where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
}

function ensureUnique(others: readonly { name: string }[], name: string): void {
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw invalidField('name', 'is the name of another tag');
}
