import { type DeviceRegistration, MAX_REGISTRATIONS_LISTED } from '@firmdesk/contract';
import { isLiveAt } from '../access/policy.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Returns the push registrations of the caller's live sessions in the environment of the call, or of one of them, most recently seen first. */
export async function listRegistrations(
  { db, identity, now }: AccountContext,
  { session }: { session?: string | undefined },
): Promise<DeviceRegistration[]> {
  let query = db
    .selectFrom('devices as d')
    .innerJoin('tokens as t', 't.id', 'd.token_id')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['d.app', 'd.environment', 'd.created_at', 'd.last_seen_at', 'd.token_id as session'])
    .select(['d.locale', 'd.timezone', 'd.app_version', 'd.os_version'])
    .where('t.user_id', '=', identity.user.id)
    .where('t.environment', '=', identity.environment)
    .where(isLiveAt(now))
    .orderBy('d.last_seen_at', 'desc')
    .orderBy('d.token_id', 'desc')
    .orderBy('d.app')
    .limit(MAX_REGISTRATIONS_LISTED);
  if (session !== undefined) query = query.where('d.token_id', '=', session);
  const rows = await query.execute();
  return rows.map((row) => ({ object: 'push_device', ...row, current: row.session === identity.tokenId }));
}
