import type { StoredRule } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, pagesOf } from './context.ts';

/** The mailboxes of a page. */
const MAILBOXES = 100;

/** Exports the rules of mailboxes in their order, without tags that were deleted, and without authors who do not read the mailbox any more: those do not forward. */
export async function* exportMailRules({
  sql: db,
  workspaceId,
}: ExportContext): AsyncGenerator<SeedRecordInput<'mail_rules'>[]> {
  const tags = await db
    .selectFrom('tags')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .execute();
  const known = new Set(tags.map(({ id }) => id));
  const pages = pagesOf(
    ({ id }) => id,
    async (after: number | null) => {
      const { rows } = await sql<{ id: number; rules: StoredRule[]; readers: string[] }>`
        select b.id, b.rules, array(
          select r.user_id from mailbox_members r where r.workspace_id = ${workspaceId} and r.mailbox_id = b.id) as readers
        from mailboxes b
        where b.workspace_id = ${workspaceId} and b.id > ${after ?? 0} and b.rules <> '[]'
        order by b.id limit ${MAILBOXES}`.execute(db);
      return rows;
    },
    MAILBOXES,
  );
  for await (const page of pages)
    yield page.flatMap(({ id: mailbox, rules, readers }) =>
      rules.map(({ user_id, add_tags, folder, forward_to, ...rule }) => ({
        key: rule.id,
        mailbox: String(mailbox),
        ...(readers.includes(user_id) && { author: user_id }),
        ...rule,
        add_tags: add_tags.filter((tag) => known.has(tag)).map(String),
        ...(folder !== null && { folder }),
        ...(forward_to !== null && { forward_to }),
      })),
    );
}
