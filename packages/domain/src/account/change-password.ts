import type { ChangePasswordInput, PasswordChanged } from '@firmdesk/contract';
import type { z } from 'zod';
import { hashPassword, verifyPassword } from '../access/accounts/password.ts';
import { User } from '../access/accounts/user.entity.ts';
import { endChallenges } from '../access/sign-in/challenges.ts';
import { isFreshForAccount } from '../access/sign-in/fresh.ts';
import { listPasskeys, removePasskeys } from '../access/sign-in/passkeys.ts';
import { revokeTokens } from '../access/tokens/revoke-tokens.ts';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { recordRefusedPassword } from './audit-sign-in.ts';
import { lockDevice } from './sessions/lock-device.ts';
import { recordChange } from './sign-in/record-change.ts';
import { hasSecondFactor } from './sign-in/verify-second-factor.ts';

/** The hash of the verified current password, and the hash of the new one. */
interface Hashes {
  current: string;
  next: string;
}

/** Counts the attempt, verifies the current password and hashes the new one, before the transaction. */
export async function preparePasswordChange(
  ctx: AccountContext,
  input: z.infer<typeof ChangePasswordInput>,
): Promise<Hashes> {
  const { services, identity, call } = ctx;
  const { user } = identity;
  // Attempts are counted under the account's id in place of a device, so that failed sign-ins elsewhere do not delay them. All sessions
  // share this limit, because a session can open others without a password.
  const succeeded = await services.limits.signIn({ ip: call.ip, email: user.email, device: user.id });
  const current = await verifyPassword(input.current_password, call.ip, async () => {
    const { rows } = await services.pool.query<{ password_hash: string | null }>(
      'select password_hash from users where id = $1',
      [user.id],
    );
    return rows[0]?.password_hash ?? null;
  });
  if (current === null) {
    recordRefusedPassword(services, 'user.password_change_failed', { userId: user.id, address: call.ip });
    throw wrongCurrentPassword();
  }
  succeeded();
  // With a second factor, a password is half of a sign-in.
  if (!isFreshForAccount(identity.signIn, ctx.now) && (await hasSecondFactor(ctx, user.id)))
    throw new ApiError('fresh_sign_in_required');
  return { current, next: await hashPassword(input.new_password) };
}

/** Sets a new password and signs out all other devices (contract §3.3). Returns the passkeys, which open the account as before unless they are removed too. */
export async function changePassword(
  ctx: AccountContext & { prepared: Hashes },
  { remove_passkeys }: z.output<typeof ChangePasswordInput>,
): Promise<z.infer<typeof PasswordChanged>> {
  const { em, identity, prepared } = ctx;
  const { id } = identity.user;
  await lockDevice(ctx, 'exclusive');
  const isVerified = { id, passwordHash: prepared.current };
  const changed = await em.nativeUpdate(User, isVerified, { passwordHash: prepared.next });
  // The password was changed after it was verified.
  if (changed === 0) throw wrongCurrentPassword();
  await endChallenges(ctx, id);
  const others = await revokeTokens(ctx, { userId: id, exceptId: identity.tokenId });
  const removed = remove_passkeys ? await removePasskeys(ctx, id) : 0;
  await recordChange(ctx, 'user.password_changed', {
    signed_out: others.length,
    ...(removed > 0 && { passkeys_removed: removed }),
  });
  return { object: 'password_changed', signed_out: others.length, passkeys: await listPasskeys(ctx, id) };
}

function wrongCurrentPassword() {
  return invalidField('current_password', 'is not the current password');
}
