import type { Account, SetTimezoneInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { User } from '../access/accounts/user.entity.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Sets the time zone of the caller's account, in all firms, and returns the caller. */
export async function setTimezone(
  { em, identity }: AccountContext,
  { timezone }: z.infer<typeof SetTimezoneInput>,
): Promise<Account['user']> {
  const { isStaff: _, ...user } = identity.user;
  const account = await em.findOneOrFail(User, user.id);
  account.timezone = timezone;
  return { ...user, timezone };
}
