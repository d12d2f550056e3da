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

/**
 * Returns the time at which an amount of business time has passed since another time, or was yet to pass if the amount is negative.
 * `hours` null: every hour is one of business.
 */
export function businessTimeAfter(start: number, ms: number, hours: BusinessHours | null): number {
  if (hours === null || ms === 0) return start + ms;
  if (ms < 0) return businessTimeBefore(start, -ms, hours);
  let left = ms;
  for (const [opens, closes] of openIntervals(start, hours)) {
    const from = Math.max(opens, start);
    if (closes - from >= left) return from + left;
    left -= closes - from;
  }
  throw new Error(`No ${ms} ms of business hours in ${MAX_DAYS} days.`);
}

/** Returns the latest time from which an amount of business time passes until another time, at the earliest {@link MAX_DAYS} before it. */
function businessTimeBefore(end: number, ms: number, hours: BusinessHours): number {
  const lastDay = localDay(end, hours);
  let left = ms;
  let first = end;
  for (let day = lastDay; day > lastDay - MAX_DAYS; day--) {
    for (const [opens, closes] of intervalsOfDay(day, hours).reverse()) {
      if (opens >= first) continue;
      const open = Math.min(closes, first) - opens;
      if (open >= left) return opens + open - left;
      left -= open;
      first = opens;
    }
  }
  return first;
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

/** Returns the business time between two times that are both in a period, as {@link businessTimeBetween} does, without walking through its days. */
export function meterBusinessTime(
  from: number,
  until: number,
  hours: BusinessHours | null,
): (start: number, end: number) => number {
  if (hours === null) return (start, end) => Math.max(0, end - start);
  const opens: number[] = [];
  /** The business time before each interval. */
  const passed: number[] = [];
  let total = 0;
  for (const [open, close] of openIntervals(from, hours, Math.ceil((until - from) / DAY_MS) + 2)) {
    opens.push(open);
    passed.push(total);
    total += close - open;
  }
  const timeAt = (at: number): number => {
    let [low, high] = [0, opens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (opens[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return 0;
    const end = passed[low] ?? total;
    return Math.min(passed[low - 1]! + at - opens[low - 1]!, end);
  };
  return (start, end) => Math.max(0, timeAt(end) - timeAt(start));
}

/** Generates the intervals of business hours that end after a time, in their order, without overlaps. */
export function* openIntervals(
  after: number,
  hours: BusinessHours,
  days = MAX_DAYS,
): Generator<[number, number]> {
  const firstDay = localDay(after, hours);
  let last = after;
  for (let day = firstDay; day < firstDay + days; day++) {
    for (const [opens, closes] of intervalsOfDay(day, hours)) {
      if (closes <= last) continue;
      yield [Math.max(opens, last), closes];
      last = closes;
    }
  }
}

function localDay(at: number, { timezone }: BusinessHours): number {
  return Math.floor(utcToLocal(at, timezone) / DAY_MS);
}

/** Returns the business hours of a day, which is counted from 1 January 1970. */
function intervalsOfDay(day: number, { timezone, week, holidays }: BusinessHours): [number, number][] {
  const midnight = day * DAY_MS;
  if (holidays.includes(new Date(midnight).toISOString().slice(0, 10))) return [];
  // 1 January 1970 was a Thursday.
  const weekday = weekdays[(((day + 3) % 7) + 7) % 7]!;
  const at = (time: string) => localToUtc(midnight + minutesOfDay(time) * MINUTE_MS, timezone);
  return week[weekday].map(({ from, to }) => [at(from), at(to)]);
}
