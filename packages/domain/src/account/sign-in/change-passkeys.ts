import { addPasskey } from '../../access/sign-in/passkeys.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { lockDevice } from '../sessions/lock-device.ts';
import { recordChange } from './record-change.ts';

/** Adds a passkey to the caller's account. */
export async function addOwnPasskey(
  ctx: AccountContext,
  input: { name: string; response: Record<string, unknown> },
): Promise<void> {
  await lockDevice(ctx, 'exclusive');
  const passkey = await addPasskey(ctx, ctx.identity.user.id, input);
  await recordChange(ctx, 'user.passkey_added', { passkey });
}

/** Renames a passkey of the caller's account. Throws `resource_not_found`. */
export async function renamePasskey(
  { db, identity }: AccountContext,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const renamed = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', identity.user.id)
    .returning('id')
    .executeTakeFirst();
  if (!renamed) throw new ApiError('resource_not_found');
}

/** Removes a passkey of the caller's account. Throws `resource_not_found`. */
export async function removePasskey(ctx: AccountContext, { id }: { id: string }): Promise<void> {
  await lockDevice(ctx, 'exclusive');
  const removed = await ctx.db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', ctx.identity.user.id)
    .returning('id')
    .executeTakeFirst();
  if (!removed) throw new ApiError('resource_not_found');
  await recordChange(ctx, 'user.passkey_removed', { passkey: id });
}
