import { expand, formatLocal, RecurrenceError, type Series } from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { StoredEvent } from './new-event.ts';
import { isRecurring } from './series.ts';
import { instantOf, storedDay, storedTime, toRecurrenceId, wallTimeOf } from './stored-time.ts';

/** Returns the series of an event without its exception dates and overrides. */
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

/** Returns a function that tells whether the rule or an added date yields an occurrence with a recurrence id. */
export function recurrenceIdMatcher(event: StoredEvent): (recurrenceId: string) => boolean {
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
 * Returns the recurrence id for the `occurrence_start` of a call, or null for an event that does not recur. Throws
 * `validation_failed` if the event has no such occurrence.
 */
export function requireRecurrenceId(event: StoredEvent, occurrenceStart: string | null): string | null {
  const path = 'occurrence_start';
  if (!isRecurring({ recurrence_rule: event.recurrence_rule, added_dates: event.rdates })) {
    if (occurrenceStart !== null) throw invalidField(path, 'must be null: the event does not recur');
    return null;
  }
  if (occurrenceStart === null) throw invalidField(path, 'is required: the event recurs');
  const instant = Date.parse(occurrenceStart);
  const { timezone: zone, all_day, exdates, overrides } = event;
  const recurrenceId = storedRecurrenceId(instant, zone, all_day);
  const override = overrides.find(({ occurrence_start }) => occurrence_start === recurrenceId);
  const exists =
    recurrenceId !== null && (override ? !override.cancelled : recurrenceIdMatcher(event)(recurrenceId));
  if (!exists || exdates.includes(recurrenceId) || instantOf(recurrenceId, zone) !== instant) {
    throw invalidField(path, 'must be the occurrence_start of an existing occurrence');
  }
  return recurrenceId;
}

/** Returns whether a recurrence id is that of the first occurrence. A start in a gap has another text than its recurrence id. */
export function isFirstOccurrence(event: StoredEvent, recurrenceId: string): boolean {
  return instantOf(recurrenceId, event.timezone) === instantOf(event.starts_at, event.timezone);
}

/** Returns the stored form of a recurrence id, or null for an unsupported year. */
function storedRecurrenceId(instant: number, zone: string, allDay: boolean): string | null {
  try {
    return allDay ? storedDay(instant, zone) : storedTime(instant, zone);
  } catch (error) {
    if (error instanceof RecurrenceError) return null;
    throw error;
  }
}

/** Returns a stored time, shifted by a distance on the wall clock (ms). */
export function shiftTime(stored: string, by: number, zone: string): string {
  if (by === 0) return stored;
  const text = formatLocal(wallTimeOf(stored, zone) + by);
  return stored.length === 10 && by % DAY_MS === 0 ? text.slice(0, 10) : text;
}

/** {@link shiftTime} for a recurrence id. */
export function shiftRecurrenceId(recurrenceId: string, by: number, event: StoredEvent): string {
  return toRecurrenceId(shiftTime(recurrenceId, by, event.timezone), event.timezone, event.all_day);
}
