import { localToUtc, utcToLocal } from '@firmdesk/recurrence';
import { DAY_MS, MINUTE_MS } from '../../platform/process/clock.ts';
import { type Interval, joined } from './intervals.ts';

/** Working hours: from Monday to Friday, in minutes of the day. */
const WORKS_FROM = 9 * 60;
const WORKS_UNTIL = 17 * 60;
/** Proposed times begin at full and half hours. */
const STEP_MS = 30 * MINUTE_MS;

export interface FreeTimesRequest {
  busy: readonly Interval[];
  from: number;
  until: number;
  minutes: number;
  /** Of the working hours. */
  zone: string;
  limit: number;
}

/** Returns the first times that overlap no busy time, lie in the working hours, and do not overlap each other. */
export function freeTimes({ busy, from, until, minutes, zone, limit }: FreeTimesRequest): Interval[] {
  const taken = joined(busy);
  const found: Interval[] = [];
  let next = 0;
  for (let day = startOfDay(utcToLocal(from, zone)); found.length < limit; day += DAY_MS) {
    const opens = localToUtc(day + WORKS_FROM * MINUTE_MS, zone);
    if (opens >= until) break;
    if (isWeekend(day)) continue;
    const closes = Math.min(until, localToUtc(day + WORKS_UNTIL * MINUTE_MS, zone));
    for (let start = opens; start + minutes * MINUTE_MS <= closes && found.length < limit; ) {
      const end = start + minutes * MINUTE_MS;
      while (next < taken.length && taken[next]!.end <= start) next++;
      const blocking = taken[next];
      if (start < from) start += STEP_MS;
      else if (blocking && blocking.start < end) start += stepsTo(blocking.end - start);
      else {
        found.push({ start, end });
        start += stepsTo(end - start);
      }
    }
  }
  return found;
}

/** Returns a time in whole steps that is not shorter. */
function stepsTo(duration: number): number {
  return Math.ceil(duration / STEP_MS) * STEP_MS;
}

function startOfDay(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

function isWeekend(day: number): boolean {
  return [0, 6].includes(new Date(day).getUTCDay());
}
