import { type MacroRow, macroColumns, toMacro } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, pagesOf } from './context.ts';

/** The macros of a page: the texts of each can have 20,000 characters. */
const MACROS = 100;

/** Exports macros in the firm's order, without tags that were deleted, and without assignees who are no longer agents. */
export async function* exportMacros({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'macros'>[]> {
  const pages = pagesOf(
    ({ position, id }) => ({ position, id }),
    async (after: Pick<MacroRow, 'position' | 'id'> | null) => {
      const { rows } = await sql<MacroRow>`
        select ${macroColumns(workspaceId)} from macros c
        where c.workspace_id = ${workspaceId} and (c.position, c.id) > (${after?.position ?? 0}::integer, ${after?.id ?? ''})
        order by c.position, c.id limit ${MACROS}`.execute(db);
      return rows;
    },
    MACROS,
  );
  for await (const page of pages)
    yield page.map(toMacro).map(({ id, name, team, texts, actions, used, last_used_at }) => ({
      key: id,
      id,
      firm: slug,
      name,
      ...(team && { team: String(team.id) }),
      texts,
      actions: { ...actions, add_tags: actions.add_tags.map(String) },
      used,
      ...(last_used_at !== null && { last_used_at }),
    }));
}
