import type { PushTestInput, PushTestQueued } from '@firmdesk/contract';
import { getUser } from '../access/accounts/users.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError } from '../platform/process/errors.ts';
import { queueTestPushes, type TestPushTarget } from './queue-pushes.ts';

/** Sends a test push to the devices of the account with this email. Throws `resource_not_found` for an unknown account too. */
export async function sendTestToAccount(
  ctx: OperationContext,
  { email, app }: { email: string; app?: PushTestInput['app'] },
): Promise<PushTestQueued> {
  const user = await getUser(ctx, email);
  return sendTestPush(ctx, { userId: user.id, app });
}

/** Sends a test push to an account's devices. Throws `resource_not_found` if no device matches. */
export async function sendTestPush(ctx: OperationContext, target: TestPushTarget): Promise<PushTestQueued> {
  const devices = await queueTestPushes(ctx, target);
  if (devices === 0)
    throw new ApiError('resource_not_found', { message: 'No matching device is registered.' });
  return { object: 'push_test', devices };
}
