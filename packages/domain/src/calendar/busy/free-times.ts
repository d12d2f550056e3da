import type { BusinessHours } from '@firmdesk/contract';
import { utcToLocal } from '@firmdesk/recurrence';
import { DAY_MS, MINUTE_MS } from '../../platform/process/clock.ts';
import { openIntervals } from '../../sla/index.ts';
import { type Interval, joined } from './intervals.ts';

/** Nothing is proposed outside of these hours of the organizer, because business hours may be those of a night shift. */
const DAYTIME = { from: 7 * 60 * MINUTE_MS, until: 20 * 60 * MINUTE_MS };
/** Proposed times begin at half hours after the opening. */
const STEP_MS = 30 * MINUTE_MS;

export interface FreeTimesRequest {
  busy: readonly Interval[];
  from: number;
  until: number;
  minutes: number;
  hours: BusinessHours;
  /** Of the organizer. */
  zone: string;
  limit: number;
}

/** Returns the first times that overlap no busy time, lie in the business hours, and do not overlap each other. */
export function freeTimes({ busy, from, until, minutes, hours, zone, limit }: FreeTimesRequest): Interval[] {
  const length = minutes * MINUTE_MS;
  const taken = joined(busy);
  const found: Interval[] = [];
  let next = 0;
  // The interval in which the first moment is from its opening on.
  for (const [opens, closes] of openIntervals(from - DAY_MS, hours)) {
    if (opens >= until || found.length === limit) break;
    const last = Math.min(until, closes) - length;
    for (let start = opens; start <= last && found.length < limit; ) {
      const end = start + length;
      while (next < taken.length && taken[next]!.end <= start) next++;
      const blocking = taken[next];
      if (start < from || !isInDaytime(start, end, zone)) start += STEP_MS;
      else if (blocking && blocking.start < end) start += stepsTo(blocking.end - start);
      else {
        found.push({ start, end });
        start += stepsTo(length);
      }
    }
  }
  return found;
}

/** Returns a time in whole steps that is not shorter. */
function stepsTo(duration: number): number {
  return Math.ceil(duration / STEP_MS) * STEP_MS;
}

function isInDaytime(start: number, end: number, zone: string): boolean {
  const wall = utcToLocal(start, zone);
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
  return wall >= midnight + DAYTIME.from && utcToLocal(end, zone) <= midnight + DAYTIME.until;
}
