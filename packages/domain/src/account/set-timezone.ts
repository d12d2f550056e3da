import type { Account, SetTimezoneInput } from '@firmdesk/contract';
import type { z } from 'zod';
import type { AccountContext } from '../procedures/call-context.ts';

/** Sets the time zone of the caller's account, in all firms, and returns the caller. */
export async function setTimezone(
  { db, identity }: AccountContext,
  { timezone }: z.infer<typeof SetTimezoneInput>,
): Promise<Account['user']> {
  const { isStaff: _, ...user } = identity.user;
  await db.updateTable('users').set({ timezone }).where('id', '=', user.id).execute();
  return { ...user, timezone };
}
