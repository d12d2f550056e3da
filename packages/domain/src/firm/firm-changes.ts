import { type FirmPart, publishChange } from '../access/workspaces/publish-change.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/**
 * Serializes the changes of a firm's settings until the transaction ends, publishes that a part of them changes, and returns the context
 * in which the audit trail names the caller.
 */
export async function beginChange(ctx: AccountContext, what: FirmPart): Promise<AccountContext> {
  await publishChange(ctx, ctx.workspace.id, [what]);
  return { ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } };
}
