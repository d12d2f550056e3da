import type { ShareLevel } from '@firmdesk/contract';
import { calendarsOf } from '../access/policy.ts';

/** What an account may do with a calendar, in ascending order: see busy times, read, write, own. */
export type AccessLevel = ShareLevel | 'owner';

const RANKS: Readonly<Record<AccessLevel, number>> = { busy: 0, read: 1, write: 2, owner: 3 };

/** Returns whether an access level includes another one. */
export function isAtLeast(level: AccessLevel, wanted: AccessLevel): boolean {
  return RANKS[level] >= RANKS[wanted];
}

/** The SQL of the calendars that account `$1` can access in workspace `$2`, owned or shared, with the access level of each. */
export const ACCESSIBLE_CALENDARS = calendarsOf('$1', '$2');
