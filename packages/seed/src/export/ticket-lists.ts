import { sql } from 'kysely';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, PAGE, pagesOf } from './context.ts';

export async function* exportTicketViews({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'ticket_views'>[]> {
  const pages = pagesOf(
    ({ id }) => id,
    (after: string | null) =>
      db
        .selectFrom('ticket_views')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(PAGE)
        .execute(),
  );
  for await (const page of pages)
    yield page.map(({ id, user_id, team_id, name, search, created_at }) => ({
      key: id,
      id,
      firm: slug,
      ...(user_id !== null && { user: user_id }),
      ...(team_id !== null && { team: String(team_id) }),
      name,
      search,
      created_at,
    }));
}

interface Link {
  ticket_id: string;
  other_id: string;
  relation: 'linked' | 'follows';
  created_at: string;
}

/** Exports each link once: of its two rows that of the ticket that follows, or else of the older ticket. */
export async function* exportTicketLinks({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'ticket_links'>[]> {
  const pages = pagesOf(
    ({ ticket_id, other_id }) => ({ ticket_id, other_id }),
    async (after: Pick<Link, 'ticket_id' | 'other_id'> | null) => {
      const { rows } = await sql<Link>`
        select ticket_id, other_id, relation, created_at from ticket_links
        where workspace_id = ${workspaceId} and (ticket_id, other_id) > (${after?.ticket_id ?? ''}, ${after?.other_id ?? ''})
          and (relation = 'follows' or (relation = 'linked' and ticket_id < other_id))
        order by ticket_id, other_id limit ${PAGE}`.execute(db);
      return rows;
    },
  );
  for await (const page of pages)
    yield page.map(({ ticket_id, other_id, ...link }) => ({
      firm: slug,
      ticket: ticket_id,
      other: other_id,
      ...link,
    }));
}

export async function* exportTicketMerges({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'ticket_merges'>[]> {
  const pages = pagesOf(
    ({ id }) => id,
    async (after: string | null) => {
      const { rows } = await sql<{ id: string; merged_into: string }>`
        select id, merged_into from tickets
        where workspace_id = ${workspaceId} and merged_into is not null and id > ${after ?? ''}
        order by id limit ${PAGE}`.execute(db);
      return rows;
    },
  );
  for await (const page of pages)
    yield page.map(({ id, merged_into }) => ({ firm: slug, ticket: id, into: merged_into }));
}
