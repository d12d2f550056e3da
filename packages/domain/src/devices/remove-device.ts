import type { DeviceRemoved, PushApp } from '@firmdesk/contract';
import { sql } from 'kysely';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Ends a registration of the caller, in the environment of the call. The session stays signed in. Throws `resource_not_found`. */
export async function removeDevice(
  { db, identity }: AccountContext,
  { app, session }: { app: PushApp; session: string },
): Promise<DeviceRemoved> {
  const { numAffectedRows } = await sql`
    delete from devices d using tokens t
    where d.token_id = ${session} and d.app = ${app} and t.id = d.token_id
      and t.user_id = ${identity.user.id} and t.environment = ${identity.environment}`.execute(db);
  if (!numAffectedRows) throw new ApiError('resource_not_found');
  return { object: 'push_device_removed', app, session };
}
