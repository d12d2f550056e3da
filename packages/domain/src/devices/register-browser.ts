import { type DeviceRegistration, MAX_BROWSERS, type RegisterBrowserInput } from '@firmdesk/contract';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { areKeysUsable } from '../push/index.ts';
import { listRegistrations } from './list-registrations.ts';
import { registerDevice } from './register-device.ts';

/**
 * Registers the subscription of a browser for pushes to the calling session, in place of an earlier one of the session. Like a phone's, it
 * ends with the session. Throws `resource_not_found` if the installation sends no pushes to browsers.
 */
export async function registerBrowser(
  ctx: AccountContext,
  { endpoint, keys, timezone }: RegisterBrowserInput,
): Promise<DeviceRegistration> {
  const { browserPush } = ctx.services;
  if (!browserPush)
    throw new ApiError('resource_not_found', { message: 'This installation sends no pushes to browsers.' });
  const token = browserPush.checkEndpoint(endpoint);
  if (!areKeysUsable(keys)) throw invalidField('keys.p256dh', 'must be a point of the curve P-256');
  await registerDevice(ctx, { app: 'browser', environment: 'production', token, keys, timezone });
  await ctx.em.flush();
  await endOldest(ctx);
  const registrations = await listRegistrations(ctx, { session: ctx.identity.tokenId });
  return registrations.find(({ app }) => app === 'browser')!;
}

/** Ends the browsers of the account beyond the maximum, those seen the longest ago first. */
async function endOldest({ db, identity }: AccountContext): Promise<void> {
  const beyond = db
    .selectFrom('devices')
    .select('token_id')
    .where('user_id', '=', identity.user.id)
    .where('app', '=', 'browser')
    .orderBy('last_seen_at', 'desc')
    .orderBy('token_id', 'desc')
    .offset(MAX_BROWSERS);
  await db.deleteFrom('devices').where('app', '=', 'browser').where('token_id', 'in', beyond).execute();
}
