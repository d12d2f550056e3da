import type { ShareLevel } from '@firmdesk/contract';

/** What a person may do with a calendar, rising. */
export type ReachLevel = ShareLevel | 'owner';

const RANKS: Readonly<Record<ReachLevel, number>> = { busy: 0, read: 1, write: 2, owner: 3 };

export function isAtLeast(level: ReachLevel, wanted: ReachLevel): boolean {
  return RANKS[level] >= RANKS[wanted];
}

/** The calendars in reach of person `$1` in workspace `$2`, owned or shared, with the level of each. */
export const REACH = `
  select id, name, owner_id, 'owner' as level from calendars where owner_id = $1 and workspace_id = $2
  union all
  select c.id, c.name, c.owner_id, s.level
  from calendar_shares s join calendars c on c.id = s.calendar_id
  where s.user_id = $1 and c.workspace_id = $2 and c.owner_id <> $1`;
