import type { PushTestInput, PushTestQueued } from '@firmdesk/contract';
import { getUser } from '../access/users.ts';
import type { OperationContext } from '../platform/context.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { queueTestPushes } from './queue-pushes.ts';

/** Sends a test to the caller's own devices. Raises `resource_not_found` when none of them is registered. */
export function sendTestToOwnDevices(
  ctx: AccountContext,
  { app, session }: PushTestInput,
): Promise<PushTestQueued> {
  return queued(ctx, { userId: ctx.identity.user.id, app, session });
}

/** Sends a test to the devices of an account, for the operator. Raises `resource_not_found`. */
export async function sendTestToAccount(
  ctx: OperationContext,
  { email, app }: { email: string; app?: PushTestInput['app'] },
): Promise<PushTestQueued> {
  const user = await getUser(ctx, email);
  return queued(ctx, { userId: user.id, app });
}

async function queued(
  ctx: OperationContext,
  which: Parameters<typeof queueTestPushes>[1],
): Promise<PushTestQueued> {
  const devices = await queueTestPushes(ctx, which);
  if (devices === 0) throw new ApiError('resource_not_found', { message: 'No such device is registered.' });
  return { object: 'push_test', devices };
}
