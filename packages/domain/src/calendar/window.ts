import { type ListEventsInput, WINDOW_DAYS, WINDOW_DEFAULT_DAYS } from '@firmdesk/contract';
import { localToUtc, parseLocal, utcToLocal, type Window } from '@firmdesk/recurrence';
import { DAY_MS } from '../kernel/clock.ts';
import { ApiError } from '../kernel/errors.ts';
import { FIRST_INSTANT, LAST_INSTANT } from './event-rows.ts';

const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+ -])(\d\d)(?::?(\d\d))?)?)?$/i;

/**
 * The window that a call asks for, as instants. Bounds without an offset, and the day on which the default begins, are in
 * the account's zone. Raises `invalid_date`, then `invalid_window`, then `window_too_wide`.
 */
export function readWindow({ from, until }: ListEventsInput, zone: string, now: Date): Window {
  const given = { from: readBound('from', from, zone), until: readBound('until', until, zone) };
  const start = given.from ?? startOfDay(now, zone);
  const end = given.until ?? Math.min(start + WINDOW_DEFAULT_DAYS * DAY_MS, LAST_INSTANT);
  if (end <= start) throw new ApiError('invalid_window');
  // So many calendar days pass, however long their hours.
  const days = utcToLocal(end, zone) - utcToLocal(start, zone);
  if (Math.min(end - start, days) > WINDOW_DAYS * DAY_MS) throw new ApiError('window_too_wide');
  return { from: start, until: end };
}

function startOfDay(now: Date, zone: string): number {
  const wall = utcToLocal(now.getTime(), zone);
  return localToUtc(wall - (wall % DAY_MS), zone);
}

/** A bound as an instant; null when it was left out. A space stands for the `+` that a query string takes for one. */
function readBound(name: string, text: string | undefined, zone: string): number | null {
  if (text === undefined) return null;
  const match = MOMENT.exec(text);
  const instant = match ? instantOf(match, zone) : Number.NaN;
  if (!(instant >= FIRST_INSTANT && instant <= LAST_INSTANT)) {
    throw new ApiError('invalid_date', { message: `\`${name}\` is no ISO 8601 date or date-time.` });
  }
  return instant;
}

function instantOf(match: RegExpExecArray, zone: string): number {
  const [, date, time, seconds = '00', fraction = '', utc, sign, hours, minutes = '00'] = match;
  const wall = wallOf(`${date}T${time ?? '00:00'}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`);
  if (utc) return wall;
  if (!sign) return Number.isNaN(wall) ? wall : localToUtc(wall, zone);
  if (Number(hours) > 23 || Number(minutes) > 59) return Number.NaN;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? wall + offset : wall - offset;
}

/** The fields read as UTC; NaN where the calendar or the clock has no such time. */
function wallOf(text: string): number {
  try {
    return parseLocal(text);
  } catch {
    return Number.NaN;
  }
}
