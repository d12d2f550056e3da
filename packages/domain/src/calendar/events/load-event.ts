import type { EventSource, EventStatus } from '@firmdesk/contract';
import type { OperationContext } from '../../platform/database/context.ts';
import type { AddedDate, Attendee, Conference } from '../calendar.entity.ts';
import type { StoredEvent } from './new-event.ts';
import type { OverrideColumns } from './series.ts';

/** A row of `events`, without what is computed from it. */
export interface EventColumns {
  id: number;
  calendar_id: number;
  uid: string | null;
  sequence: number;
  stamp: string | null;
  sender_email: string | null;
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

/** Returns a stored event with its overrides. The event must exist. */
export async function loadEvent(
  { db }: OperationContext,
  workspaceId: number,
  id: number,
): Promise<StoredEvent> {
  const row = (await db
    .selectFrom('events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()) as EventColumns;
  const overrides = await db
    .selectFrom('event_overrides')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('event_id', '=', id)
    .execute();
  return {
    id,
    calendar_id: row.calendar_id,
    uid: row.uid,
    sequence: row.sequence,
    stamp: row.stamp,
    sender: row.sender_email,
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
      ({
        local_start,
        local_end,
        ...override
      }: OverrideColumns & { sequence: number; stamp: string | null }) => ({
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
