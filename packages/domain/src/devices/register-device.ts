import type { PushDevice, RegisterDeviceInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import { IS_REVOKED } from '../access/policy.ts';
import type { Sql } from '../platform/database/database.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';

export interface Registration {
  device: PushDevice;
  /** Whether the session had a registration for the app. */
  replaced: boolean;
}

/**
 * Registers a push token for an app of the calling session (contract §4.4), in place of the session's earlier one.
 * If another session of the same account and firm has the push token for the app, the token moves to the calling session, so that the
 * account gets each push once. Sessions of other accounts or firms keep it. `created_at` is when the session first registered this
 * push token. Throws `revoked_token` if the session has been signed out meanwhile.
 */
export async function registerDevice(
  { db, identity, now }: AccountContext,
  input: RegisterDeviceInput,
): Promise<Registration> {
  await lockRegistration(db, identity.tokenId, input);
  const { user, home } = identity;
  const moment = sql`${now.toISOString()}::timestamptz`;
  // All affected rows are locked in one order, so that two sessions that swap tokens cannot deadlock.
  const { rows: held } = await sql<{ token_id: string }>`
    select token_id from devices
    where app = ${input.app} and (token_id = ${identity.tokenId}
      or (device_token = ${input.token} and user_id = ${user.id} and workspace_id = ${home.id}))
    order by token_id
    for update`.execute(db);
  await sql`
    delete from devices where app = ${input.app} and device_token = ${input.token} and user_id = ${user.id}
      and workspace_id = ${home.id} and token_id <> ${identity.tokenId}`.execute(db);
  const { rows } = await sql<Omit<PushDevice, 'object'>>`
    insert into devices as d (token_id, app, user_id, workspace_id, environment, device_token, locale, timezone,
      app_version, os_version, created_at, last_seen_at)
    values (${identity.tokenId}, ${input.app}, ${user.id}, ${home.id}, ${input.environment}, ${input.token},
      ${input.locale ?? null}, ${input.timezone ?? null}, ${input.app_version ?? null}, ${input.os_version ?? null}, ${moment}, ${moment})
    on conflict (token_id, app) do update set
      environment = excluded.environment,
      device_token = excluded.device_token,
      locale = excluded.locale,
      timezone = excluded.timezone,
      app_version = excluded.app_version,
      os_version = excluded.os_version,
      created_at = case when d.device_token = excluded.device_token then d.created_at else excluded.created_at end,
      last_seen_at = excluded.last_seen_at
    returning app, environment, created_at, last_seen_at`.execute(db);
  const replaced = held.some(({ token_id }) => token_id === identity.tokenId);
  return { device: { object: 'push_device', ...rows[0]! }, replaced };
}

/**
 * Locks the push token and the session until the transaction ends. A concurrent sign-out waits. This is a separate statement, so that
 * the next one sees what earlier registrations committed.
 */
async function lockRegistration(
  db: Sql,
  session: string,
  { app, token }: RegisterDeviceInput,
): Promise<void> {
  const { rows } = await sql`
    select pg_advisory_xact_lock(hashtextextended(${`${app} ${token}`}, 0)) from tokens t
    join users u on u.id = t.user_id
    where t.id = ${session} and not ${sql.raw(IS_REVOKED)}
    for no key update of t`.execute(db);
  if (rows.length === 0) throw new ApiError('revoked_token');
}
