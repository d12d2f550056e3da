import { formatLocal, localToUtc, parseLocal, RecurrenceError, utcToLocal } from '@firmdesk/recurrence';
import { readMoment } from './moment.ts';

/**
 * The stored time of an instant (epoch ms): what the clock on the wall of the event's zone shows, `2026-11-21T09:30:00`.
 * Only the second pass through an hour that the zone repeats cannot be said so; it is kept in UTC, with `Z`. Throws
 * `RecurrenceError` outside the years 1 to 9999.
 */
export function storedTime(instant: number, zone: string): string {
  const wall = utcToLocal(instant, zone);
  const text = formatLocal(wall);
  return localToUtc(parseLocal(text), zone) === instant
    ? text
    : new Date(instant).toISOString().replace('.000', '');
}

/** The day on which an instant (epoch ms) lies in a zone. Throws `RecurrenceError` outside the years 1 to 9999. */
export function storedDay(instant: number, zone: string): string {
  const text = formatLocal(utcToLocal(instant, zone)).slice(0, 10);
  parseLocal(text);
  return text;
}

/** The instant (epoch ms) of a stored time; of a day, its midnight in the zone. Throws `RecurrenceError`. */
export function instantOf(stored: string, zone: string): number {
  return stored.endsWith('Z') ? Date.parse(stored) : localToUtc(parseLocal(stored), zone);
}

/**
 * Any time as a stored one: an ISO 8601 instant (with `Z` or an offset), a wall time of the zone, or a day; with
 * `allDay`, the day on which it lies. Throws `RecurrenceError`.
 */
export function toStored(text: string, zone: string, allDay: boolean): string {
  const moment = readMoment(text);
  if (!moment)
    throw new RecurrenceError('invalid-time', `No such time: ${JSON.stringify(text.slice(0, 40))}`);
  if (moment.form === 'instant') return allDay ? storedDay(moment.at, zone) : storedTime(moment.at, zone);
  const wall = formatLocal(moment.at);
  return allDay ? wall.slice(0, 10) : wall;
}

/** As {@link toStored} for the recurrence id of an occurrence, whose text is its identity: one per instant. */
export function toRecurrenceId(text: string, zone: string, allDay: boolean): string {
  const stored = toStored(text, zone, allDay);
  return allDay ? stored : storedTime(instantOf(stored, zone), zone);
}

/** What the clock on the wall shows at a stored time, in ms as if it were UTC. */
export function wallTimeOf(stored: string, zone: string): number {
  return stored.endsWith('Z') ? utcToLocal(Date.parse(stored), zone) : parseLocal(stored);
}
