import { type DeviceRegistration, MAX_BROWSERS, type RegisterBrowserInput } from '@firmdesk/contract';
import { sql } from 'kysely';
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
  // Before the rows of a session are locked: a call that ends other sessions' browsers waits for none that waits for it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`browsers ${ctx.identity.user.id}`}, 0))`.execute(
    ctx.db,
  );
  await registerDevice(ctx, { app: 'browser', environment: 'production', token, keys, timezone });
  await ctx.em.flush();
  await endOldest(ctx);
  const registrations = await listRegistrations(ctx, { session: ctx.identity.tokenId });
  return registrations.find(({ app }) => app === 'browser')!;
}

/** Ends the other browsers of the account beyond the maximum, those seen the longest ago first. */
async function endOldest({ db, identity }: AccountContext): Promise<void> {
  const beyond = db
    .selectFrom('devices')
    .select('token_id')
    .where('user_id', '=', identity.user.id)
    .where('app', '=', 'browser')
    .where('token_id', '<>', identity.tokenId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('token_id', 'desc')
    .offset(MAX_BROWSERS - 1);
  await db.deleteFrom('devices').where('app', '=', 'browser').where('token_id', 'in', beyond).execute();
}
