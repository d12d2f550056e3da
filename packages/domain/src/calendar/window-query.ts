import { type EventSource, type EventStatus, MAX_WINDOW_OCCURRENCES } from '@firmdesk/contract';
import type { Window } from '@firmdesk/recurrence';
import type { Pool } from 'pg';
import { queryPool } from '../platform/query-pool.ts';
import { ACCESSIBLE_CALENDARS, type AccessLevel } from './access-level.ts';
import type { AddedDate, Attendee, Conference } from './calendar.entity.ts';
import type { Expandable } from './expand-events.ts';
import { WINDOW_BYTES, WINDOW_CANDIDATES } from './limits.ts';
import type { OverrideColumns } from './series.ts';

/** An event that may have an occurrence in the window, with all fields that a response needs. Empty lists are null. */
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

/** The row of the window as a whole. Its lists name the event of each entry. */
interface WindowRow {
  id: null;
  is_truncated: boolean;
  overrides: ({ event_id: number } & (OverrideColumns | { is_over_limit: true }))[] | null;
  reminders: [eventId: number, minutesBefore: number, channel: string][] | null;
  tags: [eventId: number, id: number, name: string, color: string][] | null;
}

export interface WindowQuery {
  userId: string;
  workspaceId: number;
  window: Window;
  /** Only these calendars; all if omitted. */
  calendars: number[] | undefined;
}

/** The events of a calendar `r` that may have an occurrence in the window: a look-up in the range index, so that other events cost nothing. */
const MATCHING_EVENTS = `
  from events
  where workspace_id = $2 and calendar_id = r.id
    and tstzrange(span_start, span_end, '[]') && tstzrange($3, $4, '[)')
    and ($5::integer[] is null or r.id = any($5))`;

/**
 * A single statement, so that it sees one snapshot of the database. `offset 0` prevents another plan, in which the planner would
 * collect the events of all calendars first.
 *
 * The result has one row per event, and one row without an id for the window as a whole, if the caller can access a calendar.
 * Overrides, reminders and tags are lists of that row: joining them to the events would take as long as reading the events.
 *
 * The events are those before a limit in the order of their starts: at most $6 events, at most $7 bytes, and at most $8 events
 * that do not recur, because no later event can be among the first $8 occurrences. Only when there are more (`is_truncated`), the
 * last event within the limit is searched. At most $7 bytes of overrides are read.
 */
const FIND_CANDIDATES = `
  with accessible as materialized (${ACCESSIBLE_CALENDARS}),
  found as materialized (
    select e.*
    from accessible r
    cross join lateral (
      select id, span_start, recurrence_rule is null and added_dates = '[]' and removed_dates = '[]' as is_single,
        300 + octet_length(title) + coalesce(octet_length(description), 0) + coalesce(octet_length(location), 0)
          + pg_column_size(added_dates) + pg_column_size(removed_dates) + pg_column_size(attendees) as bytes
      ${MATCHING_EVENTS} offset 0
    ) e
  ),
  total as materialized (
    select count(*) > $6::integer or coalesce(sum(bytes), 0) > $7::integer
      or count(*) filter (where is_single) > $8::integer as is_truncated
    from found
  ),
  last as materialized (
    select span_start, id
    from (
      select span_start, id, row_number() over by_start as events, sum(bytes) over by_start as bytes,
        count(*) filter (where is_single) over by_start as singles
      from found
      window by_start as (order by span_start, id rows unbounded preceding)
    ) m
    where events <= $6::integer and bytes <= $7::integer and singles <= $8::integer
    order by events desc
    limit 1
  ),
  ids as materialized (
    select array_agg(id) as ids from found
    where not (select is_truncated from total) or (span_start, id) <= (select span_start, id from last)
  ),
  overridden as (
    select o.*, sum(200 + coalesce(octet_length(o.title), 0) + coalesce(octet_length(o.description), 0)
        + coalesce(octet_length(o.location), 0)) over (order by o.event_id, o.occurrence_start) > $7::integer as is_over_limit
    from accessible r
    cross join lateral (
      select * from event_overrides
      where workspace_id = $2 and calendar_id = r.id and tstzrange(span_start, span_end, '[]') && tstzrange($3, $4, '[)')
      offset 0
    ) o
  ),
  window_row as (
    select null::bigint as id,
      (select is_truncated from total) as is_truncated,
      (
        select json_agg(case when is_over_limit then json_build_object('event_id', event_id, 'is_over_limit', true)
          else json_build_object('event_id', event_id, 'occurrence_start', occurrence_start, 'cancelled', cancelled,
            'this_and_future', this_and_future, 'local_start', local_start, 'local_end', local_end, 'all_day', all_day,
            'title', title, 'description', description, 'location', location, 'status', status) end)
        from overridden
      ) as overrides,
      (
        select json_agg(json_build_array(event_id, minutes_before, channel) order by minutes_before, channel)
        from event_reminders
        where workspace_id = $2 and event_id = any((select ids from ids)::bigint[]) and user_id = $1
      ) as reminders,
      (
        select json_agg(json_build_array(et.event_id, t.id, t.name, t.color) order by lower(t.name), t.id)
        from event_tags et
        join tags t on t.workspace_id = et.workspace_id and t.id = et.tag_id and t.deleted_at is null
        where et.workspace_id = $2 and et.event_id = any((select ids from ids)::bigint[])
      ) as tags
    where exists (select from accessible)
  ),
  candidate as (
    select e.*, r.id as calendar_id, r.level, false as is_partial
    from accessible r
    cross join lateral (
      select id, title, description, location, local_start, local_end, all_day, timezone, status, source,
        recurrence_rule, nullif(added_dates, '[]') as added_dates, nullif(removed_dates, '[]') as removed_dates,
        conference, organizer_name, organizer_email, nullif(attendees, '[]') as attendees
      ${MATCHING_EVENTS}
        and (not (select is_truncated from total) or (span_start, id) <= (select span_start, id from last))
      offset 0
    ) e
  )
  select c.*, w.is_truncated, w.overrides, w.reminders, w.tags
  from candidate c full join window_row w on w.id = c.id`;

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
  const { rows } = await queryPool<Candidate | WindowRow>(pool, {
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
      // One more than a response contains, so that the response can say that there are more.
      MAX_WINDOW_OCCURRENCES + 1,
    ],
  });
  const about = rows.find((row): row is WindowRow => row.id === null);
  if (!about) return null;
  const events = rows.filter((row): row is Candidate => row.id !== null);
  addLists(events, about);
  return { events, isTruncated: about.is_truncated };
}

/** Adds the entries of the window's lists to their events. */
function addLists(events: readonly Candidate[], { overrides, reminders, tags }: WindowRow): void {
  if (!overrides && !reminders && !tags) return;
  const byId = new Map(events.map((event) => [event.id, event]));
  for (const { event_id, ...override } of overrides ?? []) {
    const event = byId.get(event_id);
    if (!event) continue;
    if ('is_over_limit' in override) event.is_partial = true;
    else event.overrides = withEntry(event.overrides, override);
  }
  for (const [eventId, minutes_before, channel] of reminders ?? []) {
    const event = byId.get(eventId)!;
    event.reminders = withEntry(event.reminders, { minutes_before, channel });
  }
  for (const [eventId, id, name, color] of tags ?? []) {
    const event = byId.get(eventId)!;
    event.tags = withEntry(event.tags, { id, name, color });
  }
}

function withEntry<T>(list: T[] | null, entry: T): T[] {
  if (!list) return [entry];
  list.push(entry);
  return list;
}
