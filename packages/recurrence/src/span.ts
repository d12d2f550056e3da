import { DAY } from './civil.ts';
import { HORIZON } from './plan.ts';
import { endOf, instantOf, type Reading, readSeries, type Series } from './series.ts';

/** The range of instants (epoch ms) that a series lies in; `end` null = it goes on for ever. */
export interface Span {
  start: number;
  end: number | null;
}

/**
 * A range that covers every appearance of a series, for an index over events: outside it `expand` finds nothing. It is as
 * tight as the slots of the series, whether or not they are taken away, and its moved appearances. Throws `RecurrenceError`.
 */
export function spanOf(series: Series): Span {
  const reading = readSeries(series);
  const { zone } = reading;
  let { start, end } = reading;
  const cover = (from: number, until: number) => {
    start = Math.min(start, from);
    end = Math.max(end, from, until);
  };
  const endAfter = (from: number) => endOf(zone, zone.toLocal(from), from, reading.length);
  for (const date of series.rdates ?? []) {
    const rdate = typeof date === 'object' ? date : { start: date };
    const from = instantOf(rdate.start, zone);
    cover(from, rdate.end == null ? endAfter(from) : instantOf(rdate.end, zone));
  }
  for (const override of series.overrides ?? []) {
    if (override.cancelled) continue;
    const from = instantOf(override.start ?? override.occurrenceStart, zone);
    cover(from, override.end == null ? endAfter(from) : instantOf(override.end, zone));
  }
  const ruleEnd = endOfRule(reading);
  return { start, end: ruleEnd === null ? null : Math.max(end, ruleEnd) };
}

/** The latest end among the slots of the rule, null where there is always another. */
function endOfRule(reading: Reading): number | null {
  const { plan, zone, wall, length, until } = reading;
  let latest = reading.end;
  if (!plan) return latest;
  const bounded = plan.counted || until !== Number.POSITIVE_INFINITY;
  if (!bounded) return plan.times(wall, HORIZON, 1).length ? null : latest;

  const bound = Math.min(plan.last, until === Number.POSITIVE_INFINITY ? HORIZON : zone.latestLocal(until));
  for (let back = 32 * DAY; ; back *= 4) {
    const times = plan.times(bound - back, bound, Number.POSITIVE_INFINITY);
    const last = times.findLast((time) => zone.toUtc(time) <= until);
    if (last === undefined) {
      if (bound - back <= wall) return latest;
      continue;
    }
    // Ends, too, can change order around a gap, by less than a day.
    for (const time of plan.times(last - 2 * DAY, bound, Number.POSITIVE_INFINITY)) {
      const start = zone.toUtc(time);
      if (start <= until) latest = Math.max(latest, endOf(zone, time, start, length));
    }
    return latest;
  }
}
