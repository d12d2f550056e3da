import { DAY, LAST_MOMENT } from './civil.ts';
import { OccurrenceCollector } from './occurrence-collector.ts';
import { parseSeries, type Series } from './series.ts';

/** The range of instants (epoch ms) that a series lies in; `end` null = it goes on for ever. */
export interface Span {
  start: number;
  end: number | null;
}

/**
 * A range that covers every occurrence of a series, for an index over events: outside it `expand` finds nothing. The first
 * occurrence is inside even when it was taken away. Throws `RecurrenceError`.
 */
export function spanOf(series: Series): Span {
  const parsed = parseSeries(series);
  const { zone, plan, wall, until } = parsed;
  const found = new OccurrenceCollector(parsed, () => true);
  found.addListed(series);
  for (const segment of parsed.segments) {
    const before = found.size;
    found.addRule(segment, wall + segment.shift, LAST_MOMENT, 1);
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
      // A day more: around a gap an earlier recurrence id may end later.
      found.addRule(segment, bound - back - DAY, bound, Number.POSITIVE_INFINITY);
    }
  }
  return { start: Math.min(parsed.start, found.earliest), end: Math.max(parsed.end, found.end) };
}
