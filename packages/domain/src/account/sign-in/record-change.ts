import { type AuditAction, recordPlatformAudit } from '../../access/audit/audit.ts';
import type { SecurityChange } from '../../mail/index.ts';
import { networkOf } from '../../platform/address-key.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { notifySecurityChange } from '../notify-security-change.ts';

/** The changes of which the owner is told. */
const told: Partial<Record<AuditAction, SecurityChange>> = {
  'user.password_changed': 'password_changed',
  'user.passkey_added': 'passkey_added',
  'user.passkey_removed': 'passkey_removed',
  'user.second_factor_enabled': 'second_factor_enabled',
  'user.second_factor_disabled': 'second_factor_disabled',
  'user.recovery_codes_renewed': 'recovery_codes_renewed',
};

/** Records a change of how the caller's account signs in. It is one of the whole account, which can belong to several firms. Tells the owner. */
export async function recordChange(
  ctx: AccountContext,
  action: Extract<AuditAction, `user.${string}`>,
  after: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { tokenId, user } = ctx.identity;
  const { id } = user;
  const network = networkOf(ctx.call.ip);
  await recordPlatformAudit(
    { ...ctx, actor: { kind: 'account', id } },
    { action, target: { type: 'user', id }, after: { ...after, network } },
  );
  const change = told[action];
  if (change) await notifySecurityChange(ctx, { userId: id, change, network, session: tokenId });
}
