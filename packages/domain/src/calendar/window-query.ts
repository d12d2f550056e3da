import { type EventSource, type EventStatus, MAX_WINDOW_OCCURRENCES } from '@firmdesk/contract';
import type { Window } from '@firmdesk/recurrence';
import type { Pool } from 'pg';
import { queryPool } from '../platform/query-pool.ts';
import { ACCESSIBLE_CALENDARS, type AccessLevel } from './access-level.ts';
import type { AddedDate } from './calendar.entity.ts';
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
  /** JSON, written into the response as it is. */
  conference: string | null;
  organizer_name: string | null;
  organizer_email: string | null;
  /** JSON, written into the response as it is. */
  attendees: string | null;
  overrides: OverrideColumns[] | null;
  reminders: { minutes_before: number; channel: string }[] | null;
  tags: { id: number; name: string; color: string }[] | null;
}

/** The columns of a row. The names are those of {@link Candidate}. The usual values of some are null, which the driver reads faster. */
type Row = [
  about: About | null,
  id: number,
  calendar_id: number,
  title: string,
  description: string | null,
  location: string | null,
  local_start: string,
  local_end: string,
  all_day: true | null,
  timezone: string,
  status: EventStatus | null,
  source: EventSource | null,
  recurrence_rule: string | null,
  added_dates: AddedDate[] | null,
  removed_dates: string[] | null,
  conference: string | null,
  organizer_name: string | null,
  organizer_email: string | null,
  attendees: string | null,
];

/** The window as a whole. Its lists name the event of each entry. */
interface About {
  is_truncated: boolean;
  levels: Record<string, AccessLevel>;
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

/** An event that does not recur. The predicate of the index `events_single_start`. */
const IS_SINGLE = `recurrence_rule is null and added_dates = '[]' and removed_dates = '[]'`;

/**
 * The events of a calendar `r` that may be in the response: a look-up in the range index, so that other events cost nothing. With
 * `any`, the range index supports only a bitmap scan, which reads thousands of events in half the time of the index scan that the
 * planner prefers for the few that it expects.
 */
const MATCHING_EVENTS = `
  from events
  where workspace_id = $2 and calendar_id = r.id
    and tstzrange(span_start, span_end, '[]') && any(array[(select span from readable)])
    and ($5::integer[] is null or r.id = any($5))`;

/** The size of each event that may be in the response. Reading it again for a window with too many events costs less than storing it for all. */
const EVENT_SIZES = `
  select e.*
  from accessible r
  cross join lateral (
    select id, span_start,
      300 + octet_length(title) + coalesce(octet_length(description), 0) + coalesce(octet_length(location), 0)
        + pg_column_size(added_dates) + pg_column_size(removed_dates) + pg_column_size(attendees) as bytes
    ${MATCHING_EVENTS} offset 0
  ) e`;

/**
 * A single statement, so that it sees one snapshot of the database. `offset 0` prevents another plan, in which the planner would
 * collect the events of all calendars first.
 *
 * Each row is one event, except the last. It describes the window as a whole, if the caller can access a calendar, and comes last
 * so that the driver reads events while PostgreSQL collects it. Overrides, reminders and tags are lists of it: joining them to the
 * events would take as long as reading the events.
 *
 * The events are those before a limit in the order of their starts: at most $6 events and at most $7 bytes. Only when there are
 * more (`is_over_limit`), the last event within the limit is searched. At most $7 bytes of overrides are read.
 *
 * When more than $8 single events start in the window, no event that starts after the first of those too many can be in the
 * response. An index alone tells when it starts, and later events are not read (`readable`), so that a window takes as long with
 * 20,000 events as with 10,000.
 */
const FIND_CANDIDATES = `
  with accessible as materialized (${ACCESSIBLE_CALENDARS}),
  readable as materialized (
    select tstzrange($3, coalesce(
      (
        select e.span_start + interval '1 millisecond'
        from accessible r
        cross join lateral (
          select span_start from events
          where workspace_id = $2 and calendar_id = r.id and ${IS_SINGLE} and span_start >= $3 and span_start < $4
            and ($5::integer[] is null or r.id = any($5))
          order by span_start
          limit $8::integer + 1
        ) e
        order by e.span_start
        offset $8::integer limit 1
      ),
      $4
    ), '[)') as span
  ),
  total as materialized (
    select array_agg(id) as ids, count(*) > $6::integer or coalesce(sum(bytes), 0) > $7::integer as is_over_limit
    from (${EVENT_SIZES}) e
  ),
  last as materialized (
    select span_start, id
    from (
      select span_start, id, row_number() over by_start as events, sum(bytes) over by_start as bytes
      from (${EVENT_SIZES}) e
      window by_start as (order by span_start, id rows unbounded preceding)
    ) m
    where events <= $6::integer and bytes <= $7::integer
    order by events desc
    limit 1
  ),
  ids as materialized (
    select case
      when is_over_limit then array(
        select id from (${EVENT_SIZES}) e where (span_start, id) <= (select span_start, id from last))
      else ids
    end as ids
    from total
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
  )
  select null::json, e.*
  from accessible r
  cross join lateral (
    select id, calendar_id, title, description, location, local_start, local_end, nullif(all_day, false), timezone,
      nullif(status, 'confirmed'), nullif(source, 'manual'), recurrence_rule, nullif(added_dates, '[]'),
      nullif(removed_dates, '[]'), conference::text, organizer_name, organizer_email, nullif(attendees, '[]')::text
    ${MATCHING_EVENTS}
      and (not (select is_over_limit from total) or (span_start, id) <= (select span_start, id from last))
    offset 0
  ) e
  union all
  select
    json_build_object(
      'is_truncated', (select is_over_limit from total) or (select upper(span) < $4 from readable),
      'levels', (select json_object_agg(id, level) from accessible),
      'overrides', (
        select json_agg(case when is_over_limit then json_build_object('event_id', event_id, 'is_over_limit', true)
          else json_build_object('event_id', event_id, 'occurrence_start', occurrence_start, 'cancelled', cancelled,
            'this_and_future', this_and_future, 'local_start', local_start, 'local_end', local_end, 'all_day', all_day,
            'title', title, 'description', description, 'location', location, 'status', status) end)
        from overridden
      ),
      'reminders', (
        select json_agg(json_build_array(event_id, minutes_before, channel) order by minutes_before, channel)
        from event_reminders
        where workspace_id = $2 and event_id = any((select ids from ids)::bigint[]) and user_id = $1
      ),
      'tags', (
        select json_agg(json_build_array(et.event_id, t.id, t.name, t.color) order by lower(t.name), t.id)
        from event_tags et
        join tags t on t.workspace_id = et.workspace_id and t.id = et.tag_id and t.deleted_at is null
        where et.workspace_id = $2 and et.event_id = any((select ids from ids)::bigint[])
      )
    ),
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
  where exists (select from accessible)`;

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
  const { rows } = await queryPool<Row>(pool, {
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
      MAX_WINDOW_OCCURRENCES,
    ],
    rowMode: 'array',
  });
  const about = rows.pop()?.[0];
  if (!about) return null;
  const overrides = groupByEvent(about.overrides, (entry) => entry.event_id);
  const reminders = groupByEvent(about.reminders, ([eventId]) => eventId);
  const tags = groupByEvent(about.tags, ([eventId]) => eventId);
  const events = rows.map((row): Candidate => {
    const id = row[1];
    const own = overrides?.get(id);
    return {
      id,
      calendar_id: row[2],
      level: about.levels[row[2]]!,
      title: row[3],
      description: row[4],
      location: row[5],
      local_start: row[6],
      local_end: row[7],
      all_day: row[8] ?? false,
      timezone: row[9],
      status: row[10] ?? 'confirmed',
      source: row[11] ?? 'manual',
      recurrence_rule: row[12],
      added_dates: row[13],
      removed_dates: row[14],
      conference: row[15],
      organizer_name: row[16],
      organizer_email: row[17],
      attendees: row[18],
      overrides: own?.flatMap((entry) => ('is_over_limit' in entry ? [] : entry)) ?? null,
      reminders:
        reminders?.get(id)?.map(([, minutes_before, channel]) => ({ minutes_before, channel })) ?? null,
      tags: tags?.get(id)?.map(([, id, name, color]) => ({ id, name, color })) ?? null,
      is_partial: own?.some((entry) => 'is_over_limit' in entry) ?? false,
    };
  });
  return { events, isTruncated: about.is_truncated };
}

/** Returns the entries of one of the window's lists by event, or null if there are none. */
function groupByEvent<T>(list: T[] | null, eventOf: (entry: T) => number): Map<number, T[]> | null {
  return list && Map.groupBy(list, eventOf);
}
