import {
  MAX_MACROS,
  type Macro,
  type MacroFile,
  type MacroOfFile,
  type MacrosImported,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { firmIdOf, MAY_ANSWER } from '../access/policy.ts';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import { newId } from '../platform/process/ids.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { recordMacroImport } from './audit-macro.ts';
import { lockMacros, nameKey } from './lock-macros.ts';
import { type MacroRow, macroColumns, toMacro } from './macro-rows.ts';

/** Returns all macros of the firm as a file, in the firm's order. */
export async function exportMacros(ctx: AccountContext): Promise<MacroFile> {
  const { rows } = await sql<MacroRow>`
    select ${macroColumns(ctx.workspace.id)} from macros c where c.workspace_id = ${ctx.workspace.id}
    order by c.position, c.id limit ${MAX_MACROS}`.execute(ctx.db);
  const names = await readNames(ctx);
  const tags = new Map(names.tags.map(({ id, name }) => [id, name]));
  const agents = new Map(names.agents.map(({ id, name }) => [id, name]));
  const toFile = ({ name, team, texts, actions }: Macro): MacroOfFile => ({
    name,
    team: team?.name ?? null,
    texts,
    actions: {
      add_tags: actions.add_tags.map((id) => tags.get(id)!),
      status: actions.status,
      priority: actions.priority,
      assignee: actions.assignee === 'me' ? 'me' : (agents.get(actions.assignee ?? '') ?? null),
    },
  });
  return { format: 'firmdesk-macros', version: 1, macros: rows.map(toMacro).map(toFile) };
}

/**
 * Stores all macros of a file, or none. One with the name of a macro of the firm replaces that one, in its place and with its count; the
 * others are added at the end. Throws `macro_limit_reached`, and `validation_failed` for a name that the file has twice, and for a team,
 * tag or agent that the firm does not have.
 */
export async function importMacros(
  ctx: AccountContext,
  { macros }: MacroFile,
): Promise<z.infer<typeof MacrosImported>> {
  await lockMacros(ctx);
  const db = ctx.db;
  const { workspace, now } = ctx;
  const names = await readNames(ctx);
  const { rows: known } = await sql<{ name_key: string; position: number }>`
    select name_key, position from macros where workspace_id = ${workspace.id}`.execute(db);
  const keys = new Set(known.map(({ name_key }) => name_key));
  const seen = new Set<string>();
  let last = Math.max(0, ...known.map(({ position }) => position));
  const rows = macros.map((macro, index) => {
    const at = `macros[${index}]`;
    const key = nameKey(macro.name);
    if (seen.has(key)) throw invalidField(`${at}.name`, 'is the name of an earlier macro of the file');
    seen.add(key);
    const { team, texts, actions } = macro;
    const teamId = team === null ? null : find(names.teams, team, `${at}.team`, 'the name of a team');
    const tagIds = actions.add_tags.map((tag, place) =>
      find(names.tags, tag, `${at}.actions.add_tags[${place}]`, 'the name of a tag'),
    );
    const isAuthor = actions.assignee === 'me';
    const assignee =
      actions.assignee === null || isAuthor
        ? null
        : find(
            names.agents,
            actions.assignee,
            `${at}.actions.assignee`,
            '"me", or the address of an agent who may answer tickets',
          );
    return sql`(${workspace.id}::integer, ${newId('macro', now)}, ${++last}::integer, ${macro.name}, ${key},
      ${teamId}::integer, ${JSON.stringify(texts)}::jsonb, ${tagIds}::integer[], ${actions.status}, ${actions.priority},
      ${isAuthor}::boolean, ${assignee}, ${now.toISOString()}::timestamptz)`;
  });
  const updated = [...seen].filter((key) => keys.has(key)).length;
  const created = seen.size - updated;
  if (known.length + created > MAX_MACROS) throw new ApiError('macro_limit_reached');
  if (rows.length > 0)
    await sql`
      insert into macros (workspace_id, id, position, name, name_key, team_id, texts, tag_ids, status, priority, assigns_author,
        assignee_id, created_at)
      values ${sql.join(rows)}
      on conflict (workspace_id, name_key) do update set name = excluded.name, team_id = excluded.team_id, texts = excluded.texts,
        tag_ids = excluded.tag_ids, status = excluded.status, priority = excluded.priority,
        assigns_author = excluded.assigns_author, assignee_id = excluded.assignee_id`.execute(db);
  await recordMacroImport(ctx, { created, updated });
  return { object: 'macros_imported', created, updated };
}

interface Named<Id> {
  id: Id;
  name: string;
}

/** Reads the names by which a file refers to teams, tags and agents. */
async function readNames({ db, workspace }: AccountContext) {
  const teams = await sql<Named<number>>`
    select id, name from teams where workspace_id = ${workspace.id} order by id`.execute(db);
  const tags = await sql<Named<number>>`
    select id, name from tags
    where workspace_id = ${workspace.id} and deleted_at is null order by id`.execute(db);
  const agents = await sql<Named<string>>`
    select u.id, u.email as name from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspace.id)} and ${sql.raw(MAY_ANSWER)} order by u.id`.execute(db);
  return { teams: teams.rows, tags: tags.rows, agents: agents.rows };
}

/** Returns the id of a name: of the exact one, otherwise of the first that differs in case only. */
function find<Id>(named: readonly Named<Id>[], name: string, path: string, what: string): Id {
  const found =
    named.find((each) => each.name === name) ?? named.find((each) => nameKey(each.name) === nameKey(name));
  if (!found) throw invalidField(path, `must be ${what} of this firm`);
  return found.id;
}
