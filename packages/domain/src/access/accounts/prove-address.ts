import type { OperationContext } from '../../platform/database/context.ts';
import { recordPlatformAudit } from '../audit/audit.ts';
import { endChallenges } from '../sign-in/challenges.ts';
import { revokeTokens } from '../tokens/revoke-tokens.ts';
import { lockAccount } from './lock-account.ts';

/**
 * Records that the owner of its address uses an account, as a link shows that was mailed there. Whoever made the account with a copied link may be
 * another person: all means to sign in, sessions and API keys that were set before end. Does nothing, and returns false, for an account whose address
 * was proved before.
 */
export async function proveAddress(ctx: OperationContext, userId: string): Promise<boolean> {
  const { db } = ctx;
  await lockAccount(ctx, userId, 'exclusive');
  const proved = await db
    .updateTable('users')
    .set({ email_proved: true, password_hash: null })
    .where('id', '=', userId)
    .where('email_proved', '=', false)
    .returning('id')
    .executeTakeFirst();
  if (!proved) return false;
  for (const table of ['second_factors', 'recovery_codes', 'passkeys'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute();
  await endChallenges(ctx, userId);
  const revoked = await revokeTokens(ctx, { userId, anyKind: true });
  await recordPlatformAudit(
    { ...ctx, actor: { kind: 'account', id: userId } },
    { action: 'user.address_proved', target: { type: 'user', id: userId }, after: { revoked } },
  );
  return true;
}

/** Returns whether the address of an account was proved. */
export async function isAddressProved(ctx: OperationContext, userId: string): Promise<boolean> {
  const account = await ctx.db
    .selectFrom('users')
    .select('email_proved')
    .where('id', '=', userId)
    .executeTakeFirst();
  return account?.email_proved ?? false;
}
