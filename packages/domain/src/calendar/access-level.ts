import type { ShareLevel } from '@firmdesk/contract';
import { calendarsOf } from '../access/policy.ts';

/** What a person may do with a calendar, rising. */
export type AccessLevel = ShareLevel | 'owner';

const RANKS: Readonly<Record<AccessLevel, number>> = { busy: 0, read: 1, write: 2, owner: 3 };

export function isAtLeast(level: AccessLevel, wanted: AccessLevel): boolean {
  return RANKS[level] >= RANKS[wanted];
}

/** The calendars in reach of person `$1` in workspace `$2`, owned or shared, with the level of each. */
export const ACCESSIBLE_CALENDARS = calendarsOf('$1', '$2');
