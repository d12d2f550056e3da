import { type AuditAction, recordPlatformAudit } from '../../access/audit/audit.ts';
import { networkOf } from '../../platform/address-key.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Records a change of how the caller's account signs in. It is one of the whole account, which can belong to several firms. */
export async function recordChange(
  ctx: AccountContext,
  action: Extract<AuditAction, `user.${string}`>,
  after: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { id } = ctx.identity.user;
  await recordPlatformAudit(
    { ...ctx, actor: { kind: 'account', id } },
    { action, target: { type: 'user', id }, after: { ...after, network: networkOf(ctx.call.ip) } },
  );
}
