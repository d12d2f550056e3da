import { type BusinessHours, minutesOfDay, weekdays } from '@firmdesk/contract';
import { localToUtc, utcToLocal } from '@firmdesk/recurrence';
import { DAY_MS, MINUTE_MS } from '../platform/process/clock.ts';

/*
 * Times are in ms since 1970. Where a clock change skips or repeats a wall time, an interval begins and ends at the instants that
 * `localToUtc` returns.
 */

/**
 * Business time is looked for in this many days: a week has at least 240 minutes of it, a target at most 43,200, and 100 holidays and some
 * clock changes can each take a week's.
 */
const MAX_DAYS = 7 * (180 + 100 + 20);

/** Returns the time at which an amount of business time has passed since another time. `hours` null: every hour is one of business. */
export function businessTimeAfter(start: number, ms: number, hours: BusinessHours | null): number {
  if (hours === null || ms <= 0) return start + Math.max(0, ms);
  let left = ms;
  for (const [opens, closes] of openIntervals(start, hours)) {
    const from = Math.max(opens, start);
    if (closes - from >= left) return from + left;
    left -= closes - from;
  }
  throw new Error(`No ${ms} ms of business hours in ${MAX_DAYS} days.`);
}

/** Returns the business time between two times; 0 if the second is not later. */
export function businessTimeBetween(start: number, end: number, hours: BusinessHours | null): number {
  if (hours === null) return Math.max(0, end - start);
  let passed = 0;
  for (const [opens, closes] of openIntervals(start, hours)) {
    if (opens >= end) break;
    passed += Math.max(0, Math.min(closes, end) - Math.max(opens, start));
  }
  return passed;
}

/** Generates the intervals of business hours that end after a time, in their order, without overlaps. */
function* openIntervals(
  after: number,
  { timezone, week, holidays }: BusinessHours,
): Generator<[number, number]> {
  const isHoliday = new Set(holidays);
  const firstDay = Math.floor(utcToLocal(after, timezone) / DAY_MS);
  let last = after;
  for (let day = firstDay; day < firstDay + MAX_DAYS; day++) {
    const midnight = day * DAY_MS;
    // 1 January 1970 was a Thursday.
    const weekday = weekdays[(((day + 3) % 7) + 7) % 7]!;
    if (isHoliday.size > 0 && isHoliday.has(new Date(midnight).toISOString().slice(0, 10))) continue;
    for (const { from, to } of week[weekday]) {
      const opens = localToUtc(midnight + minutesOfDay(from) * MINUTE_MS, timezone);
      const closes = localToUtc(midnight + minutesOfDay(to) * MINUTE_MS, timezone);
      if (closes <= last) continue;
      yield [Math.max(opens, last), closes];
      last = closes;
    }
  }
}
