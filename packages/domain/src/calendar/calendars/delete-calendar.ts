import { type CalendarDeleted, type DeleteCalendarInput, MAX_CANCELLED_MEETINGS } from '@firmdesk/contract';
import { sql } from 'kysely';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { Calendar } from '../calendar.entity.ts';
import { loadEvent } from '../events/load-event.ts';
import { recordEndedEvents } from '../invitations/ended-invitations.ts';
import { announceEvent } from '../scheduling/announce-event.ts';
import { accessLevelIn, isAtLeast, requireAccessLevel } from './access-level.ts';
import { calendarCapacity } from './calendar-capacity.ts';
import {
  lockCalendars,
  peopleOfCalendars,
  publishToPeople,
  recordCalendarAudit,
} from './calendar-changes.ts';
import { meetingsToCome } from './calendar-details.ts';

/**
 * Deletes a calendar of the caller. Its events move to another calendar in which the caller may write, or are deleted; then the guests of
 * those to come get a cancellation. Throws `resource_not_found`, `forbidden`, `event_limit_reached` if the other calendar has no room,
 * `validation_failed`.
 */
export async function deleteCalendar(
  ctx: AccountContext,
  { calendar_id, move_events_to }: DeleteCalendarInput,
): Promise<CalendarDeleted> {
  requireAccessLevel(await accessLevelIn(ctx, calendar_id), 'owner');
  if (move_events_to !== null) await requireTarget(ctx, calendar_id, move_events_to);
  const ids = move_events_to === null ? [calendar_id] : [calendar_id, move_events_to];
  await lockCalendars(ctx, ids);
  // A concurrent call may have deleted one.
  for (const id of ids) requireAccessLevel(await accessLevelIn(ctx, id), 'write');
  const people = await peopleOfCalendars(ctx, ids);
  const events = await countEvents(ctx, calendar_id);
  if (move_events_to === null) await endEvents(ctx, calendar_id);
  else await moveEvents(ctx, calendar_id, move_events_to, events);
  await ctx.em.nativeDelete(Calendar, { workspaceId: ctx.workspace.id, id: calendar_id });
  await recordCalendarAudit(ctx, 'calendar.deleted', calendar_id, {
    before: { events },
    after: { events_moved_to: move_events_to },
  });
  await publishToPeople(ctx, 'calendars.changed', people);
  return { object: 'calendar_deleted', id: calendar_id, events };
}

async function requireTarget(ctx: AccountContext, from: number, to: number): Promise<void> {
  if (from === to) throw invalidField('move_events_to', 'must be another calendar');
  const level = await accessLevelIn(ctx, to);
  if (!level || !isAtLeast(level, 'write'))
    throw invalidField('move_events_to', 'must be a calendar in which you can change events');
}

async function countEvents({ db, workspace }: AccountContext, calendarId: number): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    select count(*)::integer as events from events
    where workspace_id = ${workspace.id} and calendar_id = ${calendarId}`.execute(db);
  return rows[0]!.events;
}

/** Tells the guests of the events to come that they are cancelled. The deletion of the calendar deletes the events. */
async function endEvents(ctx: AccountContext, calendarId: number): Promise<void> {
  const meetings = await meetingsToCome(ctx, calendarId);
  if (meetings.length > MAX_CANCELLED_MEETINGS)
    throw invalidField(
      'move_events_to',
      `must be a calendar: more than ${MAX_CANCELLED_MEETINGS} meetings with guests are to come, which are not cancelled at once. Move the events, or delete some of these first`,
    );
  for (const id of meetings) await announceEvent(ctx, await loadEvent(ctx, ctx.workspace.id, id), null);
  await recordEndedEvents(ctx, ctx.workspace.id, calendarId);
}

/** Moves the events. Of one that the other calendar already has, by its UID, that one stays. Whoever cannot read the other calendar loses the reminders. */
async function moveEvents(ctx: AccountContext, from: number, to: number, events: number): Promise<void> {
  const { db, workspace } = ctx;
  const capacity = await calendarCapacity(ctx, workspace.id, [to]);
  if (capacity.remaining(to) < events) throw new ApiError('event_limit_reached');
  const firm = workspace.id;
  await sql`
    delete from events e where workspace_id = ${firm} and calendar_id = ${from} and uid is not null
      and exists (select from events o
      where o.workspace_id = ${firm} and o.calendar_id = ${to} and o.uid = e.uid)`.execute(db);
  await sql`
    delete from event_reminders r where workspace_id = ${firm}
      and event_id in (select id from events where workspace_id = ${firm} and calendar_id = ${from})
      and not exists (select from calendars c where c.workspace_id = ${firm} and c.id = ${to} and c.owner_id = r.user_id)
      and not exists (select from calendar_shares s where s.workspace_id = ${firm} and s.calendar_id = ${to}
        and s.user_id = r.user_id and s.level <> 'busy')`.execute(db);
  for (const table of ['events', 'event_overrides'] as const)
    await sql`
      update ${sql.table(table)} set calendar_id = ${to}
      where workspace_id = ${firm} and calendar_id = ${from}`.execute(db);
}
