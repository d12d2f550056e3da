import type { BrowserKeys, PushApp, PushDevice, RegisterDeviceInput } from '@firmdesk/contract';
import { LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { IS_REVOKED } from '../access/policy.ts';
import type { Sql } from '../platform/database/database.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { Device } from './device.entity.ts';

/** The registration of a phone's app, or of a browser. */
export interface NewRegistration<App extends PushApp> extends Omit<RegisterDeviceInput, 'app'> {
  app: App;
  /** Those of a browser. */
  keys?: BrowserKeys;
}

export interface Registration<App extends PushApp = PushDevice['app']> {
  device: Omit<PushDevice, 'app'> & { app: App };
  /** Whether the session had a registration for the app. */
  replaced: boolean;
}

/**
 * Registers a push token for an app of the calling session (contract §4.4), in place of the session's earlier one.
 * If another session of the same account and firm has the push token for the app, the token moves to the calling session, so that the
 * account gets each push once. Sessions of other accounts or firms keep it. `created_at` is when the session first registered this
 * push token. Throws `revoked_token` if the session has been signed out meanwhile.
 */
export async function registerDevice<App extends PushApp>(
  { em, db, identity, now }: AccountContext,
  input: NewRegistration<App>,
): Promise<Registration<App>> {
  await lockRegistration(db, identity.tokenId, input);
  const { user, home } = identity;
  const { app, token } = input;
  // All affected rows are locked in one order, so that two sessions that swap tokens cannot deadlock.
  const held = await em.find(
    Device,
    {
      app,
      $or: [{ tokenId: identity.tokenId }, { deviceToken: token, userId: user.id, workspaceId: home.id }],
    },
    { orderBy: { tokenId: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  const own = held.find(({ tokenId }) => tokenId === identity.tokenId);
  for (const device of held) if (device !== own) em.remove(device);
  // The entity manager inserts before it deletes, and two rows cannot have the push token.
  await em.flush();
  const registration = {
    environment: input.environment,
    deviceToken: token,
    keys: input.keys ?? null,
    locale: input.locale ?? null,
    timezone: input.timezone ?? null,
    appVersion: input.app_version ?? null,
    osVersion: input.os_version ?? null,
    createdAt: own?.deviceToken === token ? own.createdAt : now,
    lastSeenAt: now,
  };
  const key = { tokenId: identity.tokenId, app, userId: user.id, workspaceId: home.id };
  const device = own ? em.assign(own, registration) : em.create(Device, { ...key, ...registration });
  return {
    device: {
      object: 'push_device',
      app,
      environment: device.environment,
      created_at: device.createdAt.toISOString(),
      last_seen_at: now.toISOString(),
    },
    replaced: own !== undefined,
  };
}

/**
 * Locks the push token and the session until the transaction ends. A concurrent sign-out waits. This is a separate statement, so that
 * the next one sees what earlier registrations committed.
 */
async function lockRegistration(
  db: Sql,
  session: string,
  { app, token }: { app: PushApp; token: string },
): Promise<void> {
  const { rows } = await sql`
    select pg_advisory_xact_lock(hashtextextended(${`${app} ${token}`}, 0)) from tokens t
    join users u on u.id = t.user_id
    where t.id = ${session} and not ${sql.raw(IS_REVOKED)}
    for no key update of t`.execute(db);
  if (rows.length === 0) throw new ApiError('revoked_token');
}
