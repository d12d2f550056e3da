import type { MoveMacroInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { lockMacros } from './lock-macros.ts';

/** Moves a macro before another one, or to the end of the firm's list. Throws `resource_not_found`, `validation_failed`. */
export async function moveMacro(
  ctx: AccountContext,
  { id, before }: z.output<typeof MoveMacroInput>,
): Promise<void> {
  await lockMacros(ctx);
  const db = ctx.db;
  const { rows } = await sql<{ id: string }>`
    select id from macros where workspace_id = ${ctx.workspace.id} order by position, id`.execute(db);
  const ids = rows.map((row) => row.id);
  if (!ids.includes(id)) throw new ApiError('resource_not_found');
  if (before !== null && !ids.includes(before))
    throw invalidField('before', 'must be the id of a macro of this firm');
  if (before === id) return;
  const others = ids.filter((each) => each !== id);
  others.splice(before === null ? others.length : others.indexOf(before), 0, id);
  await sql`
    update macros set position = array_position(${others}::text[], id)
    where workspace_id = ${ctx.workspace.id}
    and position <> array_position(${others}::text[], id)`.execute(db);
}
