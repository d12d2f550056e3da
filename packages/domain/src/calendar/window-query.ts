import type { EventSource, EventStatus } from '@firmdesk/contract';
import type { Window } from '@firmdesk/recurrence';
import type { Pool } from 'pg';
import { queryPool } from '../platform/query-pool.ts';
import { ACCESSIBLE_CALENDARS, type AccessLevel } from './access-level.ts';
import type { AddedDate, Attendee, Conference } from './calendar.entity.ts';
import type { Expandable } from './expand-events.ts';
import { WINDOW_BYTES, WINDOW_CANDIDATES } from './limits.ts';
import type { OverrideColumns } from './series.ts';

/** An event that may have an occurrence in the window, with all fields that a response needs. */
export interface Candidate extends Expandable {
  calendar_id: number;
  level: AccessLevel;
  title: string;
  description: string | null;
  location: string | null;
  status: EventStatus;
  source: EventSource;
  added_dates: AddedDate[] | null;
  removed_dates: string[] | null;
  conference: Conference | null;
  organizer_name: string | null;
  organizer_email: string | null;
  attendees: Attendee[] | null;
  overrides: OverrideColumns[] | null;
  reminders: { minutes_before: number; channel: string }[] | null;
  tags: { id: number; name: string; color: string }[] | null;
}

export interface WindowQuery {
  userId: string;
  workspaceId: number;
  window: Window;
  /** Only these calendars; all if omitted. */
  calendars: number[] | undefined;
}

/**
 * A single statement, so that it sees one snapshot of the database. It looks up the events and the overrides of the window in the
 * range index of each calendar, so that other events cost nothing. `offset 0` prevents another plan, in which the planner would
 * collect the events of all calendars first. A calendar without a matching event yields one row without an id. Empty lists are
 * null, which are faster to read.
 *
 * At most $6 events are read, and at most $7 bytes of events and $7 bytes of overrides, sorted by start. The rest is left out
 * (`is_truncated`); an event with overrides that were left out is `is_partial`.
 */
const FIND_CANDIDATES = `
  with accessible as (${ACCESSIBLE_CALENDARS}),
  matching as (
    select r.level, r.id as calendar_id, e.*
    from accessible r
    left join lateral (
      select id, title, description, location, local_start, local_end, all_day, timezone, status, source,
        recurrence_rule, nullif(added_dates, '[]') as added_dates, nullif(removed_dates, '[]') as removed_dates,
        conference, organizer_name, organizer_email, nullif(attendees, '[]') as attendees, span_start,
        300 + octet_length(title) + coalesce(octet_length(description), 0) + coalesce(octet_length(location), 0)
          + pg_column_size(added_dates) + pg_column_size(removed_dates) + pg_column_size(attendees) as bytes
      from events
      where calendar_id = r.id and tstzrange(span_start, span_end, '[]') && tstzrange($3, $4, '[)')
        and ($5::integer[] is null or r.id = any($5))
      limit $6::integer + 1 offset 0
    ) e on true
  ),
  measured as materialized (
    select *, row_number() over by_start > $6::integer or sum(bytes) over by_start > $7::integer as is_over_limit
    from matching
    window by_start as (order by span_start nulls first, id rows unbounded preceding)
  ),
  candidate as not materialized (select * from measured where is_over_limit is not true),
  override as (
    select o.event_id, bool_or(is_over_limit) as is_partial, json_agg(json_build_object(
      'occurrence_start', o.occurrence_start, 'cancelled', o.cancelled, 'this_and_future', o.this_and_future,
      'local_start', o.local_start, 'local_end', o.local_end, 'all_day', o.all_day, 'title', o.title,
      'description', o.description, 'location', o.location, 'status', o.status)) filter (where not is_over_limit) as overrides
    from (
      select o.*, sum(200 + coalesce(octet_length(o.title), 0) + coalesce(octet_length(o.description), 0)
        + coalesce(octet_length(o.location), 0)) over (order by o.event_id, o.occurrence_start) > $7::integer as is_over_limit
      from accessible r
      cross join lateral (
        select * from event_overrides
        where calendar_id = r.id and tstzrange(span_start, span_end, '[]') && tstzrange($3, $4, '[)')
        offset 0
      ) o
    ) o
    group by o.event_id
  ),
  reminder as (
    select c.id as event_id, json_agg(json_build_object('minutes_before', r.minutes_before, 'channel', r.channel)
      order by r.minutes_before, r.channel) as reminders
    from candidate c
    cross join lateral (select * from event_reminders where event_id = c.id and user_id = $1 offset 0) r
    group by c.id
  ),
  tag as (
    select c.id as event_id, json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color)
      order by lower(t.name), t.id) as tags
    from candidate c
    cross join lateral (select tag_id from event_tags where event_id = c.id offset 0) et
    join tags t on t.id = et.tag_id and t.workspace_id = $2 and t.deleted_at is null
    group by c.id
  )
  select c.id, c.calendar_id, c.level, c.title, c.description, c.location, c.local_start, c.local_end, c.all_day, c.timezone,
    c.status, c.source, c.recurrence_rule, c.added_dates, c.removed_dates, c.conference, c.organizer_name,
    c.organizer_email, c.attendees, override.overrides, coalesce(override.is_partial, false) as is_partial, reminder.reminders, tag.tags,
    (select coalesce(bool_or(is_over_limit), false) from measured) as is_truncated
  from candidate c
  left join override on override.event_id = c.id
  left join reminder on reminder.event_id = c.id
  left join tag on tag.event_id = c.id`;

export interface Candidates {
  events: Candidate[];
  /** Whether events were left out because of the limits. */
  isTruncated: boolean;
}

/** Returns the events that may have an occurrence in the window, or null if the caller can access no calendar. */
export async function findCandidates(
  pool: Pool,
  { userId, workspaceId, window, calendars }: WindowQuery,
): Promise<Candidates | null> {
  const { rows } = await queryPool<Omit<Candidate, 'id'> & { id: number | null; is_truncated: boolean }>(
    pool,
    {
      name: 'calendar-window',
      text: FIND_CANDIDATES,
      values: [
        userId,
        workspaceId,
        new Date(window.from).toISOString(),
        new Date(window.until).toISOString(),
        calendars ?? null,
        WINDOW_CANDIDATES,
        WINDOW_BYTES,
      ],
    },
  );
  const [first] = rows;
  if (!first) return null;
  return {
    events: rows.filter((row): row is typeof row & Candidate => row.id !== null),
    isTruncated: first.is_truncated,
  };
}
