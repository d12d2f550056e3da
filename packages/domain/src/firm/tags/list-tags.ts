import { type FirmTag, MAX_TICKET_COUNT } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** The tables with the uses of tags, each with the column of what has the tag, by the name of the count. */
export const tagUses = {
  tickets: { table: 'ticket_tags', column: 'ticket_id' },
  conversations: { table: 'mail_thread_tags', column: 'thread_id' },
  events: { table: 'event_tags', column: 'event_id' },
} as const;

/** Returns the firm's tags with how often each is used, sorted by name. */
export function listFirmTags(ctx: AccountContext): Promise<FirmTag[]> {
  return selectTags(ctx, sql`true`);
}

/** Returns a tag of the firm. Throws `resource_not_found`. */
export async function readTag(ctx: AccountContext, id: number): Promise<FirmTag> {
  const [tag] = await selectTags(ctx, sql`g.id = ${id}`);
  if (!tag) throw new ApiError('resource_not_found');
  return tag;
}

async function selectTags(
  { db, workspace }: AccountContext,
  condition: RawBuilder<unknown>,
): Promise<FirmTag[]> {
  const counts = Object.entries(tagUses).map(
    ([name, { table }]) => sql`
      (select count(*)::integer from (
        select from ${sql.table(table)} x where x.workspace_id = ${workspace.id} and x.tag_id = g.id limit ${MAX_TICKET_COUNT}) as counted)
      as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Omit<FirmTag, 'object'>>`
    select g.id, g.name, g.color, ${sql.join(counts)}
    from tags g where g.workspace_id = ${workspace.id} and g.deleted_at is null and ${condition}
    order by lower(g.name), g.id`.execute(db);
  return rows.map((row) => ({ ...row, object: 'firm_tag' }));
}
