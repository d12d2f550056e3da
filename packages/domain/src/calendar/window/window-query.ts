import { MAX_WINDOW_OCCURRENCES } from '@firmdesk/contract';
import type { Window } from '@firmdesk/recurrence';
import type { Pool } from 'pg';
import { ACCESSIBLE_CALENDARS } from '../calendars/access-level.ts';
import type { OverrideColumns } from '../events/series.ts';
import { WINDOW_BYTES, WINDOW_CANDIDATES } from '../limits.ts';
import type { Candidate } from './candidate.ts';

/** The window as a whole. */
interface About {
  /** Whether events were left out because of the limits, or because a response cannot contain them. */
  is_truncated: boolean;
  overrides: ({ event_id: number } & (OverrideColumns | { is_over_limit: true }))[] | null;
}

/** An event; in the last row, the window. */
type Row = Omit<Candidate, 'overrides' | 'reminders' | 'tags' | 'is_partial'> & { about: About | null };

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

/** The columns of an event. Empty lists are null. */
const EVENT_COLUMNS = [
  'id',
  'calendar_id',
  'title',
  "nullif(description, '') as description",
  "nullif(location, '') as location",
  'local_start',
  'local_end',
  'all_day',
  'timezone',
  'status',
  'source',
  'recurrence_rule',
  listOrNull('added_dates'),
  listOrNull('removed_dates'),
  'conference',
  'organizer_name',
  'organizer_email',
  listOrNull('attendees'),
  `octet_length(title) + coalesce(octet_length(description), 0) + coalesce(octet_length(location), 0)
    + case when jsonb_array_length(attendees) > 0 then octet_length(attendees::text) else 0 end as text_bytes`,
];

function listOrNull(column: string): string {
  return `nullif(${column}, '[]') as ${column}`;
}

/**
 * A single statement, so that it sees one snapshot of the database. `offset 0` prevents another plan, in which the planner would
 * collect the events of all calendars first.
 *
 * Each row is one event, in any order, except the last. It describes the window as a whole (`about`), if the caller can access a
 * calendar. Overrides are a list of it: joining them to the events would take as long as reading the events.
 *
 * At most $6 events, $7 bytes of them and $7 bytes of overrides are read. The last event within the limits is searched only if there
 * are more.
 *
 * When more than $8 single events start in the window, no event that starts after the first of those too many can be in the
 * response. An index alone tells when it starts, and later events are not read (`readable`), so that a window takes as long with
 * 20,000 events as with 10,000.
 */
const FIND = `
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
    select count(*) > $6::integer or coalesce(sum(bytes), 0) > $7::integer as is_over_limit from (${EVENT_SIZES}) e
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
  (
    select null::json as about, r.level, e.*
    from accessible r
    cross join lateral (
      select ${EVENT_COLUMNS.join(', ')}
      ${MATCHING_EVENTS}
        and (not (select is_over_limit from total) or (span_start, id) <= (select span_start, id from last))
      offset 0
    ) e
  )
  union all
  select
    json_build_object(
      'is_truncated', (select is_over_limit from total) or (select upper(span) < $4 from readable),
      'overrides', (
        select json_agg(case when is_over_limit then json_build_object('event_id', event_id, 'is_over_limit', true)
          else json_build_object('event_id', event_id, 'occurrence_start', occurrence_start, 'cancelled', cancelled,
            'this_and_future', this_and_future, 'local_start', local_start, 'local_end', local_end, 'all_day', all_day,
            'title', title, 'description', description, 'location', location, 'status', status) end)
        from overridden
      )
    ),
    null, ${EVENT_COLUMNS.map(() => 'null').join(', ')}
  where exists (select from accessible)`;

export interface Candidates {
  events: Candidate[];
  /** Whether events were left out because of the limits. */
  isTruncated: boolean;
}

/** Returns the events that may have an occurrence in the window, without reminders and tags, or null if the caller can access no calendar. */
export async function findCandidates(
  pool: Pool,
  { userId, workspaceId, window, calendars }: WindowQuery,
): Promise<Candidates | null> {
  const { rows } = await pool.query<Row>({
    name: 'calendar-window',
    text: FIND,
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
  });
  const about = rows.pop()?.about;
  if (!about) return null;
  const events = rows.map(({ about, ...event }) =>
    Object.assign(event, { overrides: null, reminders: null, tags: null, is_partial: false }),
  );
  addOverrides(events, about);
  return { events, isTruncated: about.is_truncated };
}

function addOverrides(events: readonly Candidate[], { overrides }: About): void {
  if (!overrides) return;
  const byEvent = Map.groupBy(overrides, (entry) => entry.event_id);
  for (const event of events) {
    const entries = byEvent.get(event.id);
    if (!entries) continue;
    event.overrides = entries.flatMap((entry) => ('is_over_limit' in entry ? [] : entry));
    event.is_partial = event.overrides.length < entries.length;
  }
}
