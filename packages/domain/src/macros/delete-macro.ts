import type { AccountContext } from '../procedures/call-context.ts';
import { recordMacro } from './audit-macro.ts';
import { readMacro } from './list-macros.ts';
import { lockMacros } from './lock-macros.ts';
import { Macro } from './macro.entity.ts';

/** Deletes a macro. Replies that were written with it stay. Throws `resource_not_found`. */
export async function deleteMacro(ctx: AccountContext, { id }: { id: string }): Promise<void> {
  await lockMacros(ctx);
  const before = await readMacro(ctx, id);
  ctx.em.remove(await ctx.em.findOneOrFail(Macro, { workspaceId: ctx.workspace.id, id }));
  await recordMacro(ctx, 'deleted', { before });
}
