import { sql } from 'kysely';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { lockMacros } from './lock-macros.ts';

/** Deletes a macro. Replies that were written with it stay. Throws `resource_not_found`. */
export async function deleteMacro(ctx: AccountContext, { id }: { id: string }): Promise<void> {
  await lockMacros(ctx);
  const { rows } = await sql`
    delete from macros where workspace_id = ${ctx.workspace.id} and id = ${id} returning id`.execute(
    sqlOf(ctx.em),
  );
  if (rows.length === 0) throw new ApiError('resource_not_found');
}
