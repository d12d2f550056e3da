import type { ListMacrosInput, Macro, MacroPage } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { type MacroRow, macroColumns, toMacro } from './macro-rows.ts';

/** Returns a page of the firm's macros, in the firm's order. */
export async function listMacros(
  { db, workspace, identity }: AccountContext,
  { usable, limit, starting_after }: z.output<typeof ListMacrosInput>,
): Promise<z.infer<typeof MacroPage>> {
  let after = sql`true`;
  if (starting_after !== undefined) {
    const [position, id] = starting_after.split('.');
    after = sql`(c.position, c.id) > (${position}::integer, ${id})`;
  }
  const isUsable = sql`(c.team_id is null or exists (
    select from team_members x
    where x.workspace_id = ${workspace.id} and x.team_id = c.team_id and x.user_id = ${identity.user.id}))`;
  const { rows } = await sql<MacroRow>`
    select ${macroColumns(workspace.id)} from macros c
    where c.workspace_id = ${workspace.id} and ${after} and ${usable ? isUsable : sql`true`}
    order by c.position, c.id limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)! : null;
  return {
    data: page.map(toMacro),
    meta: { has_more: last !== null, next_cursor: last && `${last.position}.${last.id}` },
  };
}

/** Returns a macro of the firm. Throws `resource_not_found`. */
export async function readMacro(
  { db, workspace }: OperationContext & { workspace: { id: number } },
  id: string,
): Promise<Macro> {
  const { rows } = await sql<MacroRow>`
    select ${macroColumns(workspace.id)} from macros c
    where c.workspace_id = ${workspace.id} and c.id = ${id}`.execute(db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  return toMacro(rows[0]);
}
