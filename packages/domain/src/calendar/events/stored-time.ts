import { formatLocal, localToUtc, parseLocal, RecurrenceError, utcToLocal } from '@firmdesk/recurrence';
import { parseIsoTime } from './iso-time.ts';

/**
 * Returns the stored time of an instant (epoch ms): the wall time in the zone of the event, `2026-11-21T09:30:00`. An instant in
 * the second pass of a repeated hour has no such form, and is stored in UTC, with `Z`. Throws `RecurrenceError` outside the
 * years 1 to 9999.
 */
export function storedTime(instant: number, zone: string): string {
  const wall = utcToLocal(instant, zone);
  const text = formatLocal(wall);
  return localToUtc(parseLocal(text), zone) === instant
    ? text
    : new Date(instant).toISOString().replace('.000', '');
}

/** Returns the day of an instant (epoch ms) in a zone. Throws `RecurrenceError` outside the years 1 to 9999. */
export function storedDay(instant: number, zone: string): string {
  const text = formatLocal(utcToLocal(instant, zone)).slice(0, 10);
  parseLocal(text);
  return text;
}

/** Returns the instant (epoch ms) of a stored time; of a day, its midnight in the zone. Throws `RecurrenceError`. */
export function instantOf(stored: string, zone: string): number {
  return stored.endsWith('Z') ? Date.parse(stored) : localToUtc(parseLocal(stored), zone);
}

/**
 * Converts an ISO 8601 instant (with `Z` or an offset), a wall time of the zone or a day into a stored time; with `allDay`, into
 * its day. Throws `RecurrenceError`.
 */
export function toStored(text: string, zone: string, allDay: boolean): string {
  const moment = parseIsoTime(text);
  if (!moment)
    throw new RecurrenceError(
      'invalid-time',
      `No such time ${JSON.stringify(text.slice(0, 40))}: expected an ISO 8601 date or date-time`,
    );
  if (moment.form === 'instant') return allDay ? storedDay(moment.at, zone) : storedTime(moment.at, zone);
  const wall = formatLocal(moment.at);
  return allDay ? wall.slice(0, 10) : wall;
}

/** {@link toStored} for a recurrence id: returns the same text for the same instant, so that texts can be compared. */
export function toRecurrenceId(text: string, zone: string, allDay: boolean): string {
  const stored = toStored(text, zone, allDay);
  return allDay ? stored : storedTime(instantOf(stored, zone), zone);
}

/** Returns the wall time of a stored time, in ms, with the fields read as UTC. */
export function wallTimeOf(stored: string, zone: string): number {
  return stored.endsWith('Z') ? utcToLocal(Date.parse(stored), zone) : parseLocal(stored);
}
