import type { EventSource, EventStatus } from '@firmdesk/contract';
import { RecurrenceError } from '@firmdesk/recurrence';
import { CompiledQuery } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError, invalidField } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { ACCESSIBLE_CALENDARS, type AccessLevel, isAtLeast } from './access-level.ts';
import type { AddedDate, Attendee, Conference } from './calendar.entity.ts';
import { EventError } from './event-error.ts';
import { EventsError } from './insert-events.ts';
import type { StoredEvent } from './new-event.ts';
import type { OverrideColumns } from './series.ts';
import { isTooMuchWork } from './tasks/too-much-work.ts';

interface EventColumns {
  id: number;
  calendar_id: number;
  uid: string | null;
  sequence: number;
  title: string;
  description: string | null;
  location: string | null;
  local_start: string;
  local_end: string;
  all_day: boolean;
  timezone: string;
  status: EventStatus;
  source: EventSource;
  recurrence_rule: string | null;
  added_dates: AddedDate[];
  removed_dates: string[];
  conference: Conference | null;
  organizer_name: string | null;
  organizer_email: string | null;
  attendees: Attendee[];
}

/**
 * Returns an event that the caller can access, and locks it until the transaction ends. Throws `resource_not_found` for an event
 * that the caller cannot access, `forbidden` if the caller's access level is below `wanted`.
 */
export async function openEvent(ctx: AccountContext, id: number, wanted: AccessLevel): Promise<StoredEvent> {
  const { rows } = await sqlOf(ctx.em).executeQuery<{ level: AccessLevel }>(
    CompiledQuery.raw(
      `select r.level from (${ACCESSIBLE_CALENDARS}) r join events e on e.calendar_id = r.id where e.id = $3 for update of e`,
      [ctx.identity.user.id, ctx.workspace.id, id],
    ),
  );
  requireLevel(rows[0]?.level, wanted);
  return readEvent(ctx, id);
}

/** Throws `resource_not_found` without an access level, `forbidden` if the level is too low. */
export function requireLevel(level: AccessLevel | undefined, wanted: AccessLevel): void {
  if (!level) throw new ApiError('resource_not_found');
  if (!isAtLeast(level, wanted))
    throw new ApiError('forbidden', {
      message: `This requires the access level "${wanted}" in the calendar.`,
    });
}

/** Returns the caller's access level in a calendar, or undefined without access. */
export async function levelIn(ctx: AccountContext, calendarId: number): Promise<AccessLevel | undefined> {
  const { rows } = await sqlOf(ctx.em).executeQuery<{ level: AccessLevel }>(
    CompiledQuery.raw(`select r.level from (${ACCESSIBLE_CALENDARS}) r where r.id = $3`, [
      ctx.identity.user.id,
      ctx.workspace.id,
      calendarId,
    ]),
  );
  return rows[0]?.level;
}

/** Returns a stored event with its overrides. The event must exist. */
export async function readEvent({ em }: OperationContext, id: number): Promise<StoredEvent> {
  const db = sqlOf(em);
  const row = (await db
    .selectFrom('events')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()) as EventColumns;
  const overrides = await db.selectFrom('event_overrides').selectAll().where('event_id', '=', id).execute();
  return {
    id,
    calendar_id: row.calendar_id,
    uid: row.uid,
    sequence: row.sequence,
    title: row.title,
    description: row.description,
    location: row.location,
    starts_at: row.local_start,
    ends_at: row.local_end,
    all_day: row.all_day,
    timezone: row.timezone,
    status: row.status,
    source: row.source,
    recurrence_rule: row.recurrence_rule,
    rdates: row.added_dates.map(({ start, end }) => (end === undefined ? start : { start, end })),
    exdates: row.removed_dates,
    overrides: overrides.map(
      ({ local_start, local_end, ...override }: OverrideColumns & { sequence: number }) => ({
        ...override,
        starts_at: local_start,
        ends_at: local_end,
      }),
    ),
    conference: row.conference,
    organizer: row.organizer_email === null ? null : { name: row.organizer_name, email: row.organizer_email },
    attendees: row.attendees,
  };
}

/** Runs a write, and converts errors of the event into `validation_failed` of the field. */
export async function asInvalidField<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const [problem] = error instanceof EventsError ? error.problems : [];
    if (isTooMuchWork(error))
      throw invalidField('recurrence_rule', 'makes a series that takes too much work to expand');
    // A change can move a time out of the supported years.
    if (error instanceof RecurrenceError) throw invalidField('starts_at', `is invalid: ${error.message}`);
    const path = error instanceof EventError ? error.path : problem?.path;
    const message = error instanceof EventError ? error.problem : problem?.message;
    if (path === undefined || message === undefined) throw error;
    throw invalidField(path.replace(/^overrides\[\d+\]\./, ''), message);
  }
}
