import { sql } from 'kysely';
import type { AccountContext } from '../procedures/call-context.ts';
import { recordMacro } from './audit-macro.ts';
import { readMacro } from './list-macros.ts';
import { lockMacros } from './lock-macros.ts';

/** Deletes a macro. Replies that were written with it stay. Throws `resource_not_found`. */
export async function deleteMacro(ctx: AccountContext, { id }: { id: string }): Promise<void> {
  await lockMacros(ctx);
  const before = await readMacro(ctx, id);
  await sql`delete from macros where workspace_id = ${ctx.workspace.id} and id = ${id}`.execute(ctx.db);
  await recordMacro(ctx, 'deleted', { before });
}
