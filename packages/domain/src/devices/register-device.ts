import type { PushDevice, RegisterDeviceInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import { type Sql, sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/**
 * Registers a push token for an app of the calling session (contract §4.4): 201, or 200 where it replaces the session's
 * earlier one. A push token that another session of the same account and firm had registered for the app moves here, so that
 * the account is told once; sessions of other accounts or firms keep theirs. `created_at` is since when the session has this very push token. Raises `revoked_token` where a sign-out came first.
 */
export async function registerDevice(
  { em, identity, call, now }: AccountContext,
  input: RegisterDeviceInput,
): Promise<PushDevice> {
  const db = sqlOf(em);
  await waitForTurn(db, identity.tokenId, input);
  const { user, home } = identity;
  const moment = sql`${now.toISOString()}::timestamptz`;
  // `held` locks in one order whatever is replaced or moved, so that two sessions that swap tokens cannot deadlock;
  // counting `taken` makes its delete come before the insert.
  const { rows } = await sql<Omit<PushDevice, 'object'> & { replaced: boolean }>`
    with held as (
      select token_id from devices
      where app = ${input.app} and (token_id = ${identity.tokenId}
        or (device_token = ${input.token} and user_id = ${user.id} and workspace_id = ${home.id}))
      order by token_id
      for update
    ), taken as (
      delete from devices using held
      where devices.token_id = held.token_id and devices.app = ${input.app} and held.token_id <> ${identity.tokenId}
      returning 1
    )
    insert into devices as d (token_id, app, environment, device_token, locale, timezone, app_version, os_version,
      created_at, last_seen_at)
    select ${identity.tokenId}, ${input.app}, ${input.environment}, ${input.token}, ${input.locale ?? null},
      ${input.timezone ?? null}, ${input.app_version ?? null}, ${input.os_version ?? null}, ${moment}, ${moment}
    where (select count(*) from taken) >= 0
    on conflict (token_id, app) do update set
      environment = excluded.environment,
      device_token = excluded.device_token,
      locale = excluded.locale,
      timezone = excluded.timezone,
      app_version = excluded.app_version,
      os_version = excluded.os_version,
      created_at = case when d.device_token = excluded.device_token then d.created_at else excluded.created_at end,
      last_seen_at = excluded.last_seen_at
    returning app, environment, created_at, last_seen_at,
      exists (select from held where token_id = ${identity.tokenId}) as replaced`.execute(db);
  const { replaced, ...device } = rows[0]!;
  call.reply.status = replaced ? 200 : 201;
  return { object: 'push_device', ...device };
}

/**
 * One registration of a push token at a time, and one of a session, until their transactions end. A statement of its
 * own: the next one then sees what those before it committed. The session's row is held against a sign-out too.
 */
async function waitForTurn(db: Sql, session: string, { app, token }: RegisterDeviceInput): Promise<void> {
  const { rows } = await sql`
    select pg_advisory_xact_lock(hashtextextended(${`${app} ${token}`}, 0)) from tokens
    where id = ${session} and revoked_at is null
    for no key update`.execute(db);
  if (rows.length === 0) throw new ApiError('revoked_token');
}
