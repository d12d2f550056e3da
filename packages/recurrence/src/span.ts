import { DAY, MAX_TIME } from './civil.ts';
import { OccurrenceCollector } from './occurrence-collector.ts';
import { parseSeries, type Series } from './series.ts';

/** The range of instants (epoch ms) of a series. `end` is null for an endless series. */
export interface Span {
  start: number;
  end: number | null;
}

/**
 * Returns a range that covers every occurrence of a series, for a range index over events: `expand` finds nothing outside it.
 * It includes the first occurrence even if that one is excluded. Throws `RecurrenceError`.
 */
export function spanOf(series: Series): Span {
  const parsed = parseSeries(series);
  const { zone, plan, wall, until } = parsed;
  const found = new OccurrenceCollector(parsed, () => true);
  found.addListed(series);
  for (const segment of parsed.segments) {
    const before = found.size;
    found.addRule(segment, wall + segment.shift, MAX_TIME, 1);
    if (!plan || found.size === before) continue;
    const lastRecurrenceId = Math.min(until, segment.to);
    if (lastRecurrenceId === Number.POSITIVE_INFINITY && !plan.endsByCount) {
      return { start: Math.min(parsed.start, found.earliest), end: null };
    }
    const lastWall =
      lastRecurrenceId === Number.POSITIVE_INFINITY
        ? plan.last
        : Math.min(plan.last, zone.latestLocal(lastRecurrenceId));
    const bound = lastWall + segment.shift;
    for (let back = 2 * DAY, size = found.size; found.size === size; back *= 4) {
      // One more day, because around a gap an earlier occurrence can end later.
      found.addRule(segment, bound - back - DAY, bound, Number.POSITIVE_INFINITY);
    }
  }
  return { start: Math.min(parsed.start, found.earliest), end: Math.max(parsed.end, found.end) };
}
