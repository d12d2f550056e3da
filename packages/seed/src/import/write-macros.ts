import { MAX_MACROS } from '@firmdesk/contract';
import { lockMacros, nameKey } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import { formatPath, SeedError } from '../problems.ts';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, person, timestampOf, workspaceId } from './context.ts';
import { idsAt } from './ids.ts';

/** Adds macros at the end of their firms' lists. */
export async function writeMacros(
  ctx: ImportContext,
  macros: readonly SeedRecord<'macros'>[],
  first: number,
): Promise<void> {
  const now = ctx.now.toISOString();
  const ids = idsAt(
    'macro',
    macros.map(() => now),
  );
  const last = new Map<number, { count: number; position: number }>();
  for (const id of new Set(macros.map(({ firm }) => workspaceId(ctx, firm)))) {
    await lockMacros({ ...ctx, workspace: { id } });
    const { rows } = await sql<{ count: number; position: number }>`
      select count(*)::integer as count, coalesce(max(position), 0) as position from macros
      where workspace_id = ${id}`.execute(ctx.sql);
    last.set(id, rows[0]!);
  }
  const rows = macros.map(({ key, id, firm, name, team, texts, actions, used, last_used_at }, i) => {
    const workspace = workspaceId(ctx, firm);
    const before = last.get(workspace)!;
    if (++before.count > MAX_MACROS)
      throw new SeedError([
        { path: formatPath(['macros', first + i]), message: `${firm} can have at most ${MAX_MACROS} macros` },
      ]);
    const macroId = id ?? ids[i]!;
    ctx.idMap.set('macros', key, macroId);
    const isAuthor = actions.assignee === 'me';
    const assignee = actions.assignee == null || isAuthor ? null : person(ctx, actions.assignee).id;
    return sql`(${workspace}::integer, ${macroId}, ${++before.position}::integer, ${name}, ${nameKey(name)},
      ${team == null ? null : ctx.idMap.get('teams', team)}::integer, ${JSON.stringify(texts)}::jsonb,
      ${actions.add_tags.map((tag) => ctx.idMap.get('tags', tag))}::integer[], ${actions.status}, ${actions.priority},
      ${isAuthor}::boolean, ${assignee}, ${used}::integer, ${timestampOf(ctx, last_used_at)}::timestamptz, ${now}::timestamptz)`;
  });
  await sql`
    insert into macros (workspace_id, id, position, name, name_key, team_id, texts, tag_ids, status, priority, assigns_author,
      assignee_id, used, last_used_at, created_at)
    values ${sql.join(rows)}`.execute(ctx.sql);
}
