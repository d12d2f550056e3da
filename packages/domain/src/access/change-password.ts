import type { ChangePasswordInput, PasswordChanged } from '@firmdesk/contract';
import type { z } from 'zod';
import type { AccountContext } from '../kernel/context.ts';
import { invalidField } from '../kernel/errors.ts';
import { hashPassword, isPassword } from './password.ts';
import { revoke } from './sessions.ts';
import { User } from './user.entity.ts';

/** Sets a new password and signs out all other devices (contract §3.3). */
export async function changePassword(
  ctx: AccountContext,
  input: z.infer<typeof ChangePasswordInput>,
): Promise<z.infer<typeof PasswordChanged>> {
  const { em, identity, services, call } = ctx;
  await services.limits.signIn(call.ip, identity.user.email);
  const user = await em.findOneOrFail(User, { id: identity.user.id }, { populate: ['passwordHash'] });
  if (!(await isPassword(input.current_password, user.passwordHash ?? null))) {
    throw invalidField('current_password', 'is not the current password');
  }
  user.passwordHash = await hashPassword(input.new_password);
  await em.flush();
  const others = await revoke(ctx, { userId: user.id, exceptId: identity.tokenId });
  return { object: 'password_changed', signed_out: others.length };
}
