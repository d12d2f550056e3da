import { DEFAULT_WINDOW_DAYS, fieldError, type ListEventsInput, MAX_WINDOW_DAYS } from '@firmdesk/contract';
import { localToUtc, utcToLocal, type Window } from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { instantIn, LAST_INSTANT, parseIsoTime } from '../events/iso-time.ts';

/**
 * Returns the window of a call as instants. Bounds without an offset are in the zone of the account; the default window starts
 * today in that zone. Throws `invalid_date`, then `invalid_window`, then `window_too_wide`.
 */
export function parseWindow({ from, until }: ListEventsInput, zone: string, now: Date): Window {
  const given = { from: parseBound('from', from, zone), until: parseBound('until', until, zone) };
  const start = given.from ?? startOfDay(now, zone);
  const end = given.until ?? Math.min(start + DEFAULT_WINDOW_DAYS * DAY_MS, LAST_INSTANT);
  if (end <= start) throw new ApiError('invalid_window');
  // The limit applies to elapsed days or to calendar days, whichever is shorter.
  const days = utcToLocal(end, zone) - utcToLocal(start, zone);
  if (Math.min(end - start, days) > MAX_WINDOW_DAYS * DAY_MS) throw new ApiError('window_too_wide');
  return { from: start, until: end };
}

function startOfDay(now: Date, zone: string): number {
  const wall = utcToLocal(now.getTime(), zone);
  return localToUtc(wall - (wall % DAY_MS), zone);
}

/** Returns a bound as an instant, or null if it is omitted. */
function parseBound(name: string, text: string | undefined, zone: string): number | null {
  if (text === undefined) return null;
  const moment = parseIsoTime(text);
  const instant = moment && instantIn(zone, moment);
  if (instant === null) {
    const field = fieldError({ path: [name], message: 'must be an ISO 8601 date or date-time' });
    throw new ApiError('invalid_date', { message: field.message, fields: [field] });
  }
  return instant;
}
