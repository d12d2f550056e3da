import { expand, formatLocal, RecurrenceError, type Series } from '@firmdesk/recurrence';
import { invalidField } from '../platform/errors.ts';
import type { StoredEvent } from './event-rows.ts';
import { instantOf, storedDay, storedTime, toRecurrenceId, wallTimeOf } from './stored-time.ts';

/** The event's occurrences as its rule and added dates place them, whatever became of them. */
export function unmodifiedSeries(event: StoredEvent): Series {
  return {
    start: event.starts_at,
    end: event.ends_at,
    zone: event.timezone,
    allDay: event.all_day,
    rule: event.recurrence_rule,
    rdates: event.rdates,
  };
}

export function repeats({ recurrence_rule, rdates }: StoredEvent): boolean {
  return Boolean(recurrence_rule) || rdates.length > 0;
}

/** Finds out whether the rule or an added date places an occurrence at a recurrence id. */
export function recurrenceIdFinder(event: StoredEvent): (recurrenceId: string) => boolean {
  const zone = event.timezone;
  const added = new Set(
    event.rdates.map((date) => instantOf(typeof date === 'string' ? date : date.start, zone)),
  );
  const series = { ...unmodifiedSeries(event), rdates: [] };
  return (recurrenceId) => {
    const instant = instantOf(recurrenceId, zone);
    if (added.has(instant)) return true;
    const { occurrences } = expand(series, { from: instant, until: instant + 1 });
    return occurrences.some((occurrence) => occurrence.recurrenceId === instant);
  };
}

/**
 * The recurrence id that the caller names, null for an event that does not repeat. Raises `validation_failed` where the event has
 * no such occurrence.
 */
export function requireRecurrenceId(event: StoredEvent, occurrenceStart: string | null): string | null {
  const path = 'occurrence_start';
  if (!repeats(event)) {
    if (occurrenceStart !== null) throw invalidField(path, 'is given, but the event does not repeat');
    return null;
  }
  if (occurrenceStart === null) throw invalidField(path, 'is missing: the event repeats');
  const instant = Date.parse(occurrenceStart);
  const { timezone: zone, all_day, exdates, overrides } = event;
  const recurrenceId = storedRecurrenceId(instant, zone, all_day);
  const isThere =
    recurrenceId !== null &&
    (overrides.some((one) => one.occurrence_start === recurrenceId) ||
      recurrenceIdFinder(event)(recurrenceId));
  if (!isThere || exdates.includes(recurrenceId) || instantOf(recurrenceId, zone) !== instant) {
    throw invalidField(path, 'is none of the event’s occurrences');
  }
  return recurrenceId;
}

/** Null for an instant in a year that no event can have. */
function storedRecurrenceId(instant: number, zone: string, allDay: boolean): string | null {
  try {
    return allDay ? storedDay(instant, zone) : storedTime(instant, zone);
  } catch (error) {
    if (error instanceof RecurrenceError) return null;
    throw error;
  }
}

/** A stored time moved by a stretch of the wall clock, in ms. */
export function shiftTime(stored: string, by: number, zone: string): string {
  if (by === 0) return stored;
  const text = formatLocal(wallTimeOf(stored, zone) + by);
  return stored.length === 10 && by % 86_400_000 === 0 ? text.slice(0, 10) : text;
}

/** As {@link moved}, for a recurrence id. */
export function shiftRecurrenceId(recurrenceId: string, by: number, event: StoredEvent): string {
  return toRecurrenceId(shiftTime(recurrenceId, by, event.timezone), event.timezone, event.all_day);
}
