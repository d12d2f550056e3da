import { DAY, LAST_MOMENT } from './civil.ts';
import { Gathering } from './gathering.ts';
import { readSeries, type Series } from './series.ts';

/** The range of instants (epoch ms) that a series lies in; `end` null = it goes on for ever. */
export interface Span {
  start: number;
  end: number | null;
}

/**
 * A range that covers every appearance of a series, for an index over events: outside it `expand` finds nothing. The first
 * appearance is inside even when it was taken away. Throws `RecurrenceError`.
 */
export function spanOf(series: Series): Span {
  const reading = readSeries(series);
  const { zone, plan, wall, until } = reading;
  const found = new Gathering(reading, () => true);
  found.addListed(series);
  for (const stretch of reading.stretches) {
    const before = found.size;
    found.addRule(stretch, wall + stretch.shift, LAST_MOMENT, 1);
    if (!plan || found.size === before) continue;
    const lastSlot = Math.min(until, stretch.to);
    if (lastSlot === Number.POSITIVE_INFINITY && !plan.counted) {
      return { start: Math.min(reading.start, found.earliest), end: null };
    }
    const lastWall =
      lastSlot === Number.POSITIVE_INFINITY ? plan.last : Math.min(plan.last, zone.latestLocal(lastSlot));
    const bound = lastWall + stretch.shift;
    for (let back = 2 * DAY, size = found.size; found.size === size; back *= 4) {
      // A day more: around a gap an earlier slot may end later.
      found.addRule(stretch, bound - back - DAY, bound, Number.POSITIVE_INFINITY);
    }
  }
  return { start: Math.min(reading.start, found.earliest), end: Math.max(reading.end, found.end) };
}
