import { type CalendarDetails, MAX_CANCELLED_MEETINGS, MAX_EVENTS_PER_CALENDAR } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { AccountContext } from '../../procedures/call-context.ts';
import { accessLevelIn, requireAccessLevel } from './access-level.ts';

/** Returns what the owner of a calendar sees of it. Throws `resource_not_found`, `forbidden` for those with whom it is shared. */
export async function getCalendarDetails(
  ctx: AccountContext,
  { calendar_id }: { calendar_id: number },
): Promise<CalendarDetails> {
  requireAccessLevel(await accessLevelIn(ctx, calendar_id), 'owner');
  const { db, workspace } = ctx;
  const firm = workspace.id;
  const { rows: calendars } = await sql<Pick<CalendarDetails, 'shows_busy' | 'events'>>`
    select shows_busy, (
      select count(*)::integer from (
        select from events where workspace_id = ${firm} and calendar_id = ${calendar_id} limit ${MAX_EVENTS_PER_CALENDAR}
      ) e) as events
    from calendars where workspace_id = ${firm} and id = ${calendar_id}`.execute(db);
  const { rows: shares } = await sql<CalendarDetails['shares'][number]>`
    select json_build_object('id', u.id, 'name', u.name, 'email', u.email) as user, s.level
    from calendar_shares s join users u on u.id = s.user_id
    where s.workspace_id = ${firm} and s.calendar_id = ${calendar_id}
    order by lower(u.name), u.id`.execute(db);
  const meetings = (await meetingsToCome(ctx, calendar_id)).length;
  return { object: 'calendar_details', id: calendar_id, ...calendars[0]!, meetings, shares };
}

/** Returns the ids of a calendar's events to come whose guests were invited from here; at most one more than {@link MAX_CANCELLED_MEETINGS}. */
export async function meetingsToCome(
  { db, workspace, now }: AccountContext,
  calendarId: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from events
    where workspace_id = ${workspace.id} and calendar_id = ${calendarId} and source = 'manual'
      and uid is not null and organizer_email is not null and attendees <> '[]'
      and (span_end is null or span_end >= ${now.toISOString()})
    order by id limit ${MAX_CANCELLED_MEETINGS + 1}`.execute(db);
  return rows.map(({ id }) => id);
}
