import { sql } from 'kysely';
import { lockAccount } from '../../access/accounts/lock-account.ts';
import { IS_REVOKED } from '../../access/policy.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/**
 * Locks the calling device's account and token, and returns the device's name. Throws `revoked_token` if a sign-out or a password
 * change came first: what that ended must not be set again. A later password change ends the new session too. Calls that change the token itself
 * lock it exclusively.
 */
export async function lockDevice(
  ctx: AccountContext,
  mode: 'shared' | 'exclusive' = 'shared',
): Promise<string | null> {
  const { db, identity } = ctx;
  await lockAccount(ctx, identity.user.id, mode);
  const { rows } = await sql<{ name: string | null }>`
    select t.name from tokens t join users u on u.id = t.user_id
    where t.id = ${identity.tokenId} and not ${sql.raw(IS_REVOKED)} for share of t`.execute(db);
  const token = rows[0];
  if (!token) throw new ApiError('revoked_token');
  return token.name;
}
