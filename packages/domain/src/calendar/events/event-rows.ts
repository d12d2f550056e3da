import type { EventSource, EventStatus } from '@firmdesk/contract';
import { alignUntil, formatRule, parseRule, resolveZone, type StartForm, spanOf } from '@firmdesk/recurrence';
import type { AddedDate, Attendee, Conference } from '../calendar.entity.ts';
import { searchTextOf, searchTextsOf } from '../search/search-text.ts';
import { atPath, EventFieldError } from './event-error.ts';
import { checkLimits } from './event-limits.ts';
import type { NewAttendee, NewEvent } from './new-event.ts';
import { type OverrideRow, overrideColumns, overrideRows, toStorableInstant } from './override-rows.ts';
import { type EventTimes, seriesOf } from './series.ts';
import { instantOf, toRecurrenceId, toStored } from './stored-time.ts';

/** The columns of `events` that are computed from a {@link NewEvent}. */
export interface EventRow extends EventTimes {
  calendar_id: number;
  uid: string | null;
  sequence: number;
  stamp: string | null;
  sender_email: string | null;
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
  search_text: string;
}

/** The rows of an event and its overrides. */
export interface EventRows {
  event: EventRow;
  overrides: (OverrideRow & { search_text: string | null })[];
}

/** Returns the rows of an event, with its times in the stored form and its span. Throws `EventFieldError`, and `RecurrenceError` `too-much-work`. */
export function toEventRows(event: NewEvent): EventRows {
  checkLimits(event);
  const zone = resolveZone(event.timezone);
  if (zone === null) throw new EventFieldError('timezone', 'must be an IANA time zone');
  const allDay = event.all_day ?? false;
  const times: EventTimes & Pick<EventRow, 'added_dates' | 'removed_dates'> = {
    local_start: atPath('starts_at', () => toStored(event.starts_at, zone, allDay)),
    local_end: atPath('ends_at', () => toStored(event.ends_at, zone, allDay)),
    all_day: allDay,
    timezone: zone,
    recurrence_rule: storedRule(event.recurrence_rule, { zone, allDay }),
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
      throw new EventFieldError(`overrides[${i}].occurrence_start`, 'must not occur twice');
    recurrenceIds.add(occurrence_start);
  }
  const span = atPath('starts_at', () => spanOf(seriesOf(times, overrides)));
  return {
    event: {
      ...times,
      calendar_id: event.calendar_id,
      uid: event.uid ?? null,
      sequence: event.sequence ?? 0,
      stamp: event.stamp ?? null,
      sender_email: event.sender ?? null,
      title: event.title,
      description: event.description || null,
      location: event.location || null,
      status: event.status ?? 'confirmed',
      source: event.source ?? 'manual',
      conference: conferenceOf(event.conference),
      organizer_name: event.organizer?.name ?? null,
      organizer_email: event.organizer?.email ?? null,
      attendees: (event.attendees ?? []).map(attendeeOf),
      span_start: toStorableInstant(span.start),
      span_end: span.end === null ? null : toStorableInstant(span.end),
      search_text: searchTextOf(event),
    },
    overrides: searchTextsOf(overrideRows(times, overrides, event.overrides ?? [], span.start)),
  };
}

/** Returns the rule in its stored form. Throws `EventFieldError`. */
function storedRule(
  text: string | null | undefined,
  start: { zone: string; allDay: boolean },
): string | null {
  if (!text) return null;
  return atPath('recurrence_rule', () => {
    const rule = parseRule(text);
    const aligned = alignUntil(rule, start);
    const stored = aligned === rule ? text.replace(/;$/, '') : formatRule(aligned);
    parseRule(stored, startFormOf(start.allDay));
    return stored;
  });
}

/** Returns the form of start of an event. An event always has a zone. */
export function startFormOf(allDay: boolean): StartForm {
  return allDay ? 'date' : 'zoned';
}

function addedDate(date: string | { start: string; end: string }, zone: string, allDay: boolean): AddedDate {
  if (typeof date === 'string') return { start: toRecurrenceId(date, zone, allDay) };
  const start = toRecurrenceId(date.start, zone, false);
  const end = toStored(date.end, zone, false);
  if (instantOf(end, zone) < instantOf(start, zone))
    throw new EventFieldError('', 'must not end before it starts');
  return { start, end };
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

function attendeeOf({
  name,
  email,
  response,
  is_organizer,
  is_optional,
  answered_at,
}: NewAttendee): Attendee {
  return {
    name: name ?? null,
    email,
    response: response ?? 'needs_action',
    is_organizer: is_organizer ?? false,
    is_optional: is_optional ?? false,
    ...(answered_at != null && { answered_at }),
  };
}
