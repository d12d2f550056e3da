import type { PushTestInput, PushTestQueued } from '@firmdesk/contract';
import { getUser } from '../access/users.ts';
import type { OperationContext } from '../platform/context.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { queueTestPushes } from './queue-pushes.ts';

/** Sends a test push to the caller's devices. Throws `resource_not_found` if none is registered. */
export function sendTestToOwnDevices(
  ctx: AccountContext,
  { app, session }: PushTestInput,
): Promise<PushTestQueued> {
  return queueTest(ctx, { userId: ctx.identity.user.id, app, session });
}

/** Sends a test push to an account's devices, for the operator. Throws `resource_not_found`. */
export async function sendTestToAccount(
  ctx: OperationContext,
  { email, app }: { email: string; app?: PushTestInput['app'] },
): Promise<PushTestQueued> {
  const user = await getUser(ctx, email);
  return queueTest(ctx, { userId: user.id, app });
}

async function queueTest(
  ctx: OperationContext,
  target: Parameters<typeof queueTestPushes>[1],
): Promise<PushTestQueued> {
  const devices = await queueTestPushes(ctx, target);
  if (devices === 0)
    throw new ApiError('resource_not_found', { message: 'No matching device is registered.' });
  return { object: 'push_test', devices };
}
