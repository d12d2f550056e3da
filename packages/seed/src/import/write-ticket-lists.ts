import { sql } from 'kysely';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, person, timestampOf, workspaceId } from './context.ts';
import { idsAt } from './ids.ts';
import { insertRows } from './insert-rows.ts';

export async function writeTicketViews(
  ctx: ImportContext,
  views: readonly SeedRecord<'ticket_views'>[],
): Promise<void> {
  const now = ctx.now.toISOString();
  const ids = idsAt(
    'ticketView',
    views.map(() => now),
  );
  const rows = views.map(({ id, firm, user, team, name, search, created_at }, i) => ({
    workspace_id: workspaceId(ctx, firm),
    id: id ?? ids[i]!,
    user_id: user == null ? null : person(ctx, user).id,
    team_id: team == null ? null : ctx.idMap.get('teams', team),
    name,
    search,
    created_at: timestampOf(ctx, created_at) ?? now,
  }));
  await insertRows(ctx.sql, 'ticket_views', rows);
}

/** Writes links from both tickets. */
export async function writeTicketLinks(
  ctx: ImportContext,
  links: readonly SeedRecord<'ticket_links'>[],
): Promise<void> {
  const rows = links.flatMap(({ firm, ticket, other, relation, created_at }) => {
    const row = {
      workspace_id: workspaceId(ctx, firm),
      ticket_id: ctx.idMap.get('tickets', ticket),
      other_id: ctx.idMap.get('tickets', other),
      relation,
      created_at: timestampOf(ctx, created_at) ?? ctx.now.toISOString(),
    };
    const back = relation === 'follows' ? ('followed_by' as const) : relation;
    return [row, { ...row, ticket_id: row.other_id, other_id: row.ticket_id, relation: back }];
  });
  await insertRows(ctx.sql, 'ticket_links', rows);
}

/** Points merged tickets to those that have their messages. */
export async function writeTicketMerges(
  ctx: ImportContext,
  merges: readonly SeedRecord<'ticket_merges'>[],
): Promise<void> {
  for (const [firm, ofFirm] of Map.groupBy(merges, ({ firm }) => firm)) {
    const rows = ofFirm.map(({ ticket, into }) => ({
      id: ctx.idMap.get('tickets', ticket),
      merged_into: ctx.idMap.get('tickets', into),
    }));
    await sql`
      update tickets t set merged_into = m.merged_into
      from json_to_recordset(${JSON.stringify(rows)}::json) as m(id text, merged_into text)
      where t.workspace_id = ${workspaceId(ctx, firm)} and t.id = m.id`.execute(ctx.sql);
  }
}
