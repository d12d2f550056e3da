import type { Macro } from '@firmdesk/contract';
import { recordAudit } from '../access/audit/audit.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Records what was done to a macro. Of its name and texts, only whether they have changed. */
export async function recordMacro(
  ctx: AccountContext,
  done: 'created' | 'changed' | 'deleted',
  { before, after }: { before?: Macro; after?: Macro },
): Promise<void> {
  const isChanged = (field: 'name' | 'texts') =>
    JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]);
  const changed = before && after ? (['name', 'texts'] as const).filter(isChanged) : [];
  await recordAudit({ ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } }, ctx.workspace.id, {
    action: `macro.${done}`,
    target: { type: 'macro', id: (after ?? before)!.id },
    ...(before && { before: settingsOf(before) }),
    ...(after && { after: { ...settingsOf(after), ...(changed.length > 0 && { changed }) } }),
  });
}

/** Records the import of a file of macros. */
export async function recordMacroImport(
  ctx: AccountContext,
  { created, updated }: { created: number; updated: number },
): Promise<void> {
  await recordAudit({ ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } }, ctx.workspace.id, {
    action: 'firm.macros_imported',
    target: { type: 'firm', id: ctx.workspace.slug },
    after: { created, updated },
  });
}

function settingsOf({ team, actions }: Macro): Record<string, unknown> {
  return { team: team?.id ?? null, actions };
}
