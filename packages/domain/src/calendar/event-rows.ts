import type { EventSource, EventStatus } from '@firmdesk/contract';
import { alignUntil, formatRule, parseRule, resolveZone, type StartForm, spanOf } from '@firmdesk/recurrence';
import { DAY_MS } from '../platform/clock.ts';
import type { AddedDate, Attendee, Conference } from './calendar.entity.ts';
import { atField, atPath, EventError } from './event-error.ts';
import { FIRST_INSTANT, LAST_INSTANT } from './moment.ts';
import { type EventTimes, type OverrideColumns, seriesOf } from './series.ts';
import { instantOf, toRecurrenceId, toStored } from './stored-time.ts';

/** Bounds of one event; beyond them the work of expanding or showing it would not be bounded. */
export const EVENT_LIMITS = {
  title: 1_000,
  description: 100_000,
  location: 2_000,
  /** RDATEs, EXDATEs, overrides: of each so many. */
  dates: 5_000,
  /** Characters of all texts of the overrides together. */
  overrideTexts: 1_000_000,
  attendees: 1_000,
} as const;

/**
 * An event to be inserted. A time is an ISO 8601 instant (with `Z` or an offset), or a wall time or a day in `timezone`;
 * of an all-day event the day on which it lies counts, and `ends_at` is exclusive.
 */
export interface NewEvent {
  id?: number | null | undefined;
  calendar_id: number;
  uid?: string | null | undefined;
  sequence?: number | undefined;
  title: string;
  description?: string | null | undefined;
  location?: string | null | undefined;
  starts_at: string;
  ends_at: string;
  all_day?: boolean | undefined;
  /** An IANA zone, or another name that means one. */
  timezone: string;
  status?: EventStatus | undefined;
  source?: EventSource | undefined;
  /** An UNTIL in the wrong form is read as a local time of the zone. */
  recurrence_rule?: string | null | undefined;
  rdates?: readonly (string | { start: string; end: string })[] | undefined;
  exdates?: readonly string[] | undefined;
  overrides?: readonly NewOverride[] | undefined;
  conference?: { [field in keyof Conference]?: Conference[field] | undefined } | null | undefined;
  organizer?: { name?: string | null | undefined; email: string } | null | undefined;
  attendees?: readonly NewAttendee[] | undefined;
  /** Each reminds one person. */
  reminders?: readonly { user_id: string; minutes_before: number; channel: string }[] | undefined;
  tag_ids?: readonly number[] | undefined;
}

/** An event as it can be given to `replaceEvent` again, changed: every list is there. */
export interface StoredEvent extends NewEvent {
  id: number | null;
  all_day: boolean;
  rdates: readonly (string | { start: string; end: string })[];
  exdates: readonly string[];
  overrides: readonly NewOverride[];
  attendees: readonly NewAttendee[];
}

export interface NewAttendee {
  name?: string | null | undefined;
  email: string;
  response?: string | undefined;
  is_organizer?: boolean | undefined;
  is_optional?: boolean | undefined;
}

/** What differs in one occurrence; a field left out is as in the series, an empty text takes the series' text away. */
export interface NewOverride {
  occurrence_start: string;
  sequence?: number | undefined;
  cancelled?: boolean | null | undefined;
  this_and_future?: boolean | undefined;
  starts_at?: string | null | undefined;
  ends_at?: string | null | undefined;
  all_day?: boolean | null | undefined;
  title?: string | null | undefined;
  description?: string | null | undefined;
  location?: string | null | undefined;
  status?: EventStatus | null | undefined;
}

/** The columns of `events` that an event itself decides. */
export interface EventRow extends EventTimes {
  calendar_id: number;
  uid: string | null;
  sequence: number;
  title: string;
  description: string | null;
  location: string | null;
  status: EventStatus;
  source: EventSource;
  added_dates: AddedDate[];
  removed_dates: string[];
  conference: Conference | null;
  organizer_name: string | null;
  organizer_email: string | null;
  attendees: Attendee[];
  span_start: string;
  span_end: string | null;
}

/** The columns of `event_overrides`, but for the event's id and calendar. */
export interface OverrideRow extends OverrideColumns {
  sequence: number;
  span_start: string;
  span_end: string | null;
}

/** An event and its overrides, as they are stored. */
export interface EventRows {
  event: EventRow;
  overrides: OverrideRow[];
}

/** The rows of an event, its times brought into the stored form and its span worked out. Throws `EventError`, and `RecurrenceError` `too-much-work`. */
export function toEventRows(event: NewEvent): EventRows {
  checkBounds(event);
  const zone = resolveZone(event.timezone);
  if (zone === null) throw new EventError('timezone', 'is not an IANA zone');
  const allDay = event.all_day ?? false;
  const times: EventTimes & Pick<EventRow, 'added_dates' | 'removed_dates'> = {
    local_start: atPath('starts_at', () => toStored(event.starts_at, zone, allDay)),
    local_end: atPath('ends_at', () => toStored(event.ends_at, zone, allDay)),
    all_day: allDay,
    timezone: zone,
    recurrence_rule: readRule(event.recurrence_rule, { zone, allDay }),
    added_dates: (event.rdates ?? []).map((date, i) =>
      atPath(`rdates[${i}]`, () => addedDate(date, zone, allDay)),
    ),
    removed_dates: (event.exdates ?? []).map((date, i) =>
      atPath(`exdates[${i}]`, () => toRecurrenceId(date, zone, allDay)),
    ),
  };
  const overrides = (event.overrides ?? []).map((override, i) =>
    atPath(`overrides[${i}]`, () => overrideColumns(override, times)),
  );
  const recurrenceIds = new Set<string>();
  for (const [i, { occurrence_start }] of overrides.entries()) {
    if (recurrenceIds.has(occurrence_start))
      throw new EventError(`overrides[${i}].occurrence_start`, 'repeats an earlier one');
    recurrenceIds.add(occurrence_start);
  }
  const span = atPath('starts_at', () => spanOf(seriesOf(times, overrides)));
  return {
    event: {
      ...times,
      calendar_id: event.calendar_id,
      uid: event.uid ?? null,
      sequence: event.sequence ?? 0,
      title: event.title,
      description: event.description || null,
      location: event.location || null,
      status: event.status ?? 'confirmed',
      source: event.source ?? 'manual',
      conference: conferenceOf(event.conference),
      organizer_name: event.organizer?.name ?? null,
      organizer_email: event.organizer?.email ?? null,
      attendees: (event.attendees ?? []).map(attendeeOf),
      span_start: storable(span.start),
      span_end: span.end === null ? null : storable(span.end),
    },
    overrides: overrideRows(times, overrides, event.overrides ?? [], span.start),
  };
}

function checkBounds(event: NewEvent): void {
  for (const field of ['title', 'description', 'location'] as const) {
    checkLength(field, event[field], EVENT_LIMITS[field]);
    for (const [i, override] of (event.overrides ?? []).entries())
      checkLength(`overrides[${i}].${field}`, override[field], EVENT_LIMITS[field]);
  }
  let texts = 0;
  for (const { title, description, location } of event.overrides ?? [])
    texts += (title?.length ?? 0) + (description?.length ?? 0) + (location?.length ?? 0);
  if (texts > EVENT_LIMITS.overrideTexts)
    throw new EventError('overrides', `have texts of more than ${EVENT_LIMITS.overrideTexts} characters`);
  for (const list of ['rdates', 'exdates', 'overrides', 'attendees'] as const) {
    const limit = list === 'attendees' ? EVENT_LIMITS.attendees : EVENT_LIMITS.dates;
    if ((event[list]?.length ?? 0) > limit) throw new EventError(list, `has more than ${limit} entries`);
  }
}

function checkLength(path: string, text: string | null | undefined, limit: number): void {
  if (text && text.length > limit) throw new EventError(path, `is longer than ${limit} characters`);
}

/** The rule as it is kept. Throws `EventError`. */
function readRule(text: string | null | undefined, start: { zone: string; allDay: boolean }): string | null {
  if (!text) return null;
  return atPath('recurrence_rule', () => {
    const rule = parseRule(text);
    const aligned = alignUntil(rule, start);
    const kept = aligned === rule ? text.replace(/;$/, '') : formatRule(aligned);
    parseRule(kept, startFormOf(start.allDay));
    return kept;
  });
}

/** The form of start that an event has: it always has a zone. */
export function startFormOf(allDay: boolean): StartForm {
  return allDay ? 'date' : 'zoned';
}

function addedDate(date: string | { start: string; end: string }, zone: string, allDay: boolean): AddedDate {
  if (typeof date === 'string') return { start: toRecurrenceId(date, zone, allDay) };
  const start = toRecurrenceId(date.start, zone, false);
  const end = toStored(date.end, zone, false);
  if (instantOf(end, zone) < instantOf(start, zone)) throw new EventError('', 'ends before it starts');
  return { start, end };
}

function overrideColumns(override: NewOverride, event: EventTimes): OverrideColumns {
  const zone = event.timezone;
  const allDay = override.all_day ?? event.all_day;
  const recurrenceId = atField('occurrence_start', () =>
    toRecurrenceId(override.occurrence_start, zone, event.all_day),
  );
  const becomesDay = allDay && !event.all_day;
  const startsAt = override.starts_at ?? (becomesDay ? recurrenceId : null);
  const start = startsAt && atField('starts_at', () => toStored(startsAt, zone, allDay));
  let end = override.ends_at && atField('ends_at', () => toStored(override.ends_at!, zone, allDay));
  if (allDay && start && (end ? end === start : becomesDay)) end = dayAfter(start);
  if (end && instantOf(end, zone) < instantOf(start ?? recurrenceId, zone))
    throw new EventError('.ends_at', 'lies before its start');
  return {
    occurrence_start: recurrenceId,
    cancelled: override.cancelled ?? false,
    this_and_future: override.this_and_future ?? false,
    local_start: start,
    local_end: end ?? null,
    all_day: override.all_day ?? null,
    title: override.title ?? null,
    description: override.description ?? null,
    location: override.location ?? null,
    status: override.status ?? null,
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/**
 * The span of an override reaches over the recurrence id that it hides and the place where it stands instead, so that every window
 * that meets either finds it. Where a change holds for all later recurrence ids, each override of the series counts everywhere.
 */
function overrideRows(
  event: EventTimes,
  columns: readonly OverrideColumns[],
  given: readonly NewOverride[],
  spanStart: number,
): OverrideRow[] {
  const zone = event.timezone;
  const hasThisAndFuture = columns.some(({ this_and_future }) => this_and_future);
  const length = longestOf(event);
  return columns.map((row, i) => {
    const recurrenceId = instantOf(row.occurrence_start, zone);
    const start = row.local_start ? instantOf(row.local_start, zone) : recurrenceId;
    const end = row.local_end ? instantOf(row.local_end, zone) : start + length;
    const first = hasThisAndFuture ? Math.min(spanStart, recurrenceId, start) : Math.min(recurrenceId, start);
    const last = hasThisAndFuture ? null : Math.max(recurrenceId + length, start, end);
    return {
      ...row,
      sequence: given[i]!.sequence ?? 0,
      span_start: storable(first),
      span_end: last === null ? null : storable(last),
    };
  });
}

/** At the ends of the calendar a bound may fall into a year that the database cannot read. */
function storable(instant: number): string {
  return new Date(Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT)).toISOString();
}

/** No occurrence from the rule or an added date lasts longer: a change of the clocks moves an end by less than a day. */
function longestOf({ local_start, local_end, timezone, added_dates }: EventTimes): number {
  let longest = instantOf(local_end, timezone) - instantOf(local_start, timezone);
  for (const { start, end } of added_dates ?? []) {
    if (end) longest = Math.max(longest, instantOf(end, timezone) - instantOf(start, timezone));
  }
  return longest + 2 * DAY_MS;
}

function conferenceOf(conference: NewEvent['conference']): Conference | null {
  if (!conference) return null;
  const { provider, url, meeting_id, passcode } = conference;
  return {
    provider: provider ?? null,
    url: url ?? null,
    meeting_id: meeting_id ?? null,
    passcode: passcode ?? null,
  };
}

function attendeeOf({ name, email, response, is_organizer, is_optional }: NewAttendee): Attendee {
  return {
    name: name ?? null,
    email,
    response: response ?? 'needs_action',
    is_organizer: is_organizer ?? false,
    is_optional: is_optional ?? false,
  };
}
