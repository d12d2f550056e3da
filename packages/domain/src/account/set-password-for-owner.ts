import { getUser, setPassword } from '../access/accounts/users.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { notifySecurityChange } from './notify-security-change.ts';

/** Sets an account's password for an operator, signs out all its devices and tells the owner. Returns the number of devices. */
export async function setPasswordForOwner(
  ctx: OperationContext,
  email: string,
  password: string,
): Promise<{ signedOut: number }> {
  const { id: userId } = await getUser(ctx, email);
  const done = await setPassword(ctx, email, password);
  await notifySecurityChange(ctx, { userId, change: 'password_set', network: null });
  return done;
}
