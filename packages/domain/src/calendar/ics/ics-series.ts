import type { EventSource, EventStatus } from '@firmdesk/contract';
import {
  alignUntil,
  expand,
  formatRule,
  localToUtc,
  parseLocal,
  parseRule,
  RecurrenceError,
} from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';
import { startFormOf } from '../events/event-rows.ts';
import type { NewEvent, NewOverride, StoredEvent } from '../events/new-event.ts';
import { recurrenceIdMatcher } from '../events/recurrence-id.ts';
import { isRecurring } from '../events/series.ts';
import { storedTime, toRecurrenceId } from '../events/stored-time.ts';
import { compareVersions } from '../invitations/invitation-version.ts';
import { isTooMuchWork } from '../tasks/too-much-work.ts';
import type { IcsEvent } from './event.ts';
import { IcsError, type Note } from './properties.ts';
import { type IcsTime, inZone } from './times.ts';

/** The maximum length of a rule with white space. Shorter ones can still be too long. */
const MAX_RULE = 10_000;

/** The events of a document with one UID: the master, and the overrides of its occurrences. */
export interface IcsSeries {
  master: IcsEvent | null;
  overrides: IcsEvent[];
}

/**
 * Returns the event to insert for the events of one UID. Without a master, the overrides become the occurrences of a series
 * without a rule. Throws `IcsError` and `RecurrenceError`.
 */
export function toNewEvent(
  { master, overrides }: IcsSeries,
  attributes: { calendarId: number; source: EventSource; status: EventStatus },
  notes: Note[],
): NewEvent {
  const first = master ?? masterFor(overrides);
  const { start } = first;
  if (!start) throw new IcsError('DTSTART is missing');
  const zone = start.zone;
  if (start.isInstant && (first.rule !== null || first.rdates.length > 0))
    throw new IcsError('the event repeats, and no IANA time zone has the offsets of its time zone');
  const endsAt = first.end ? endText(start, first.end, zone) : start.text;
  const event: NewEvent = {
    calendar_id: attributes.calendarId,
    uid: first.uid,
    sequence: first.sequence,
    stamp: first.stamp,
    title: first.title ?? '',
    description: first.description,
    location: first.location,
    starts_at: start.text,
    ends_at: endsAt,
    all_day: start.isDate,
    timezone: zone,
    status: attributes.status,
    source: attributes.source,
    recurrence_rule: ruleOf(first, start, notes),
    conference: first.conference,
    organizer: first.organizer,
    attendees: first.attendees,
  };
  event.rdates = first.rdates.map((date) =>
    start.isDate
      ? ('start' in date ? date.start : date).date
      : 'start' in date
        ? { start: inZone(date.start, zone), end: inZone(date.end, zone) }
        : date.isDate && !start.isDate
          ? `${date.text}${start.text.slice(10)}`
          : inZone(date, zone),
  );
  // Overrides require a series, even if the rule was ignored.
  const isSeries = isRecurring({ recurrence_rule: event.recurrence_rule, added_dates: event.rdates });
  if (!isSeries && overrides.length > 0) event.rdates = [start.text];
  event.exdates = first.exdates.flatMap((exdate) => recurrenceIdsOf(exdate, event));
  event.overrides = latestOverrides(overrides, event);
  return event;
}

/** A change of an occurrence. */
type OccurrenceChange = Omit<IcsEvent, 'uid' | 'rule' | 'rdates' | 'exdates'>;

/**
 * Returns a stored event with some of its occurrences changed or cancelled. Ignores an older version than the stored one of the same
 * occurrence. Returns null if all are ignored.
 */
export function withOverrides(
  event: StoredEvent,
  changed: readonly OccurrenceChange[],
  areCancelled = false,
): NewEvent | null {
  const stored = new Map(event.overrides.map((override) => [override.occurrence_start, override]));
  let isChanged = false;
  for (const override of latestOverrides(
    changed.map((change) => (areCancelled ? { ...change, cancelled: true } : change)),
    event,
  )) {
    const recurrenceId = recurrenceIdKey(override.occurrence_start, event);
    if (compareVersions(override, stored.get(recurrenceId) ?? {}) < 0) continue;
    stored.set(recurrenceId, override);
    isChanged = true;
  }
  return isChanged ? { ...event, overrides: [...stored.values()] } : null;
}

/** Returns a stored event with the versions of its occurrences that it had before, where they are newer than the event, and still exist. */
export function withNewerOverrides(event: StoredEvent, before: StoredEvent): NewEvent | null {
  if (event.timezone !== before.timezone || event.all_day !== before.all_day) return null;
  const own = new Map(event.overrides.map((override) => [override.occurrence_start, override]));
  const exists = recurrenceIdMatcher(event);
  const kept = before.overrides.filter(
    (override) =>
      compareVersions(override, own.get(override.occurrence_start) ?? event) > 0 &&
      !event.exdates.includes(override.occurrence_start) &&
      exists(override.occurrence_start),
  );
  if (kept.length === 0) return null;
  for (const override of kept) own.set(override.occurrence_start, override);
  return { ...event, overrides: [...own.values()] };
}

/** Returns the end of an event. That of an all-day event is the date that is written, also with a time. */
function endText(start: IcsTime, end: IcsTime, zone: string): string {
  return start.isDate ? end.date : inZone(end, zone);
}

/** Returns the rule in the stored form; null, with a note, if it is not supported. */
function ruleOf({ rule, line }: IcsEvent, start: IcsTime, notes: Note[]): string | null {
  if (rule === null) return null;
  try {
    const aligned = alignUntil(parseRule(readableRule(rule, start.isDate)), {
      zone: start.zone,
      allDay: start.isDate,
    });
    const text = formatRule(aligned);
    parseRule(text, startFormOf(start.isDate));
    return text;
  } catch (error) {
    if (!(error instanceof RecurrenceError) || isTooMuchWork(error)) throw error;
    notes.push({
      line,
      message: `the rule was ignored, and only the first occurrence was imported: ${error.message}`,
    });
    return null;
  }
}

/**
 * Returns a rule without what has no meaning in it: white space, a second `RRULE:`, empty parts and entries, and the `X-` parts that RFC 2445
 * §4.3.10 allowed.
 */
function readableRule(text: string, allDay: boolean): string {
  const rule = text
    .slice(0, MAX_RULE)
    .replace(/\s/g, '')
    .toUpperCase()
    .replace(/^(?:RRULE:)?(?:RRULE:)?/, '')
    .split(';')
    .map((part) => {
      const [name = '', value = '', ...rest] = part.split('=');
      const plain = name === 'UNTIL' ? value.replace(/[-:]/g, '') : value.split(',').filter(Boolean).join();
      return { name, value: plain, text: [name, plain, ...rest].join('=') };
    })
    .filter(({ name, value }) => value !== '' && !name.startsWith('X-'))
    .map((part) => part.text)
    .join(';');
  // The end of an all-day series is the date that is written, unless it is a midnight of another zone.
  return allDay ? rule.replace(/(UNTIL=\d{8})T(?:000000|235959)Z?/, '$1') : rule;
}

/** Returns a master for overrides without one: a series without a rule, whose occurrences have times of their own. */
function masterFor(overrides: readonly IcsEvent[]): IcsEvent {
  const [first] = overrides;
  if (!first) throw new IcsError('there is no event');
  const recurrenceIds = overrides.map(({ recurrenceId }) => recurrenceId!.time);
  return {
    ...first,
    // The series itself has no version yet: any is newer.
    sequence: 0,
    stamp: null,
    start: { ...recurrenceIds[0]!, isInstant: false },
    end: null,
    rule: null,
    rdates: recurrenceIds,
    exdates: [],
  };
}

/**
 * Returns the recurrence ids that an EXDATE or a RECURRENCE-ID names. In a timed series, a date names those of its day. In an all-day
 * series, a time names the date that is written: servers write midnight of some zone.
 */
function recurrenceIdsOf(time: IcsTime, event: NewEvent): string[] {
  const { timezone: zone } = event;
  if (event.all_day) return [time.date];
  if (!time.isDate) return [inZone(time, zone)];
  const midnight = parseLocal(time.text);
  const window = { from: localToUtc(midnight, zone), until: localToUtc(midnight + DAY_MS, zone) };
  const { occurrences } = expand(
    { start: event.starts_at, end: event.ends_at, zone, rule: event.recurrence_rule, rdates: event.rdates },
    window,
  );
  return occurrences
    .filter(({ recurrenceId }) => recurrenceId >= window.from)
    .map(({ recurrenceId }) => storedTime(recurrenceId, zone));
}

/** Returns one override per recurrence id: the latest version; if they are equal, the later one. */
function latestOverrides(overrides: readonly OccurrenceChange[], event: NewEvent): NewOverride[] {
  const byRecurrenceId = new Map<string, NewOverride>();
  for (const override of overrides) {
    const input = overrideOf(override, event);
    const recurrenceId = recurrenceIdKey(input.occurrence_start, event);
    if (compareVersions(input, byRecurrenceId.get(recurrenceId) ?? {}) >= 0)
      byRecurrenceId.set(recurrenceId, input);
  }
  return [...byRecurrenceId.values()];
}

function recurrenceIdKey(recurrenceId: string, { timezone, all_day }: NewEvent): string {
  return toRecurrenceId(recurrenceId, timezone, all_day ?? false);
}

function overrideOf(override: OccurrenceChange, event: NewEvent): NewOverride {
  const { start, end, sequence, stamp, cancelled } = override;
  const { time, thisAndFuture } = override.recurrenceId!;
  // A date without an occurrence means that day at the time of the series.
  const recurrenceId = recurrenceIdsOf(time, event)[0] ?? `${time.text}${event.starts_at.slice(10)}`;
  const identity = { occurrence_start: recurrenceId, sequence, stamp, this_and_future: thisAndFuture };
  if (cancelled) return { ...identity, cancelled };
  const startsAt = start && inZone(start, event.timezone);
  return {
    ...identity,
    starts_at: startsAt,
    ends_at: end ? endText(start ?? end, end, event.timezone) : startsAt,
    all_day: start && start.isDate !== event.all_day ? start.isDate : null,
    title: overriddenText(override.title ?? event.title, event.title),
    description: overriddenText(override.description, event.description),
    location: overriddenText(override.location, event.location),
  };
}

/** Returns a text of an override: null if it is as in the series, empty if only the series has one. */
function overriddenText(text: string | null, ofSeries: string | null | undefined): string | null {
  return (text ?? '') === (ofSeries ?? '') ? null : (text ?? '');
}
