import type { ShareLevel } from '@firmdesk/contract';
import { CompiledQuery } from 'kysely';
import { calendarsOf } from '../../access/policy.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** What an account may do with a calendar, in ascending order: see busy times, read, write, own. */
export type AccessLevel = ShareLevel | 'owner';

const RANKS: Readonly<Record<AccessLevel, number>> = { busy: 0, read: 1, write: 2, owner: 3 };

/** Returns whether an access level includes another one. */
export function isAtLeast(level: AccessLevel, wanted: AccessLevel): boolean {
  return RANKS[level] >= RANKS[wanted];
}

/** The SQL of the calendars that account `$1` can access in workspace `$2`, owned or shared, with the access level of each. */
export const ACCESSIBLE_CALENDARS = calendarsOf('$1', '$2');

/** Throws `resource_not_found` without an access level, `forbidden` if the level is too low. */
export function requireAccessLevel(level: AccessLevel | undefined, wanted: AccessLevel): void {
  if (!level) throw new ApiError('resource_not_found');
  if (!isAtLeast(level, wanted))
    throw new ApiError('forbidden', {
      message: `This requires the access level "${wanted}" in the calendar.`,
    });
}

/** Returns the caller's access level in a calendar, or undefined without access. */
export async function accessLevelIn(
  ctx: AccountContext,
  calendarId: number,
): Promise<AccessLevel | undefined> {
  const { rows } = await ctx.db.executeQuery<{ level: AccessLevel }>(
    CompiledQuery.raw(`select r.level from (${ACCESSIBLE_CALENDARS}) r where r.id = $3`, [
      ctx.identity.user.id,
      ctx.workspace.id,
      calendarId,
    ]),
  );
  return rows[0]?.level;
}
