import { DAY, MAX_TIME, MIN_TIME } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import { type Expansion, type Occurrence, OccurrenceCollector } from './occurrence-collector.ts';
import { type Override, parseSeries, parseSingle, type Series, type SeriesTimes } from './series.ts';

/** A half-open range of instants, in epoch ms. */
export interface Window {
  from: number;
  until: number;
}

export interface ExpandOptions {
  /** The maximum number of occurrences, from 1 to 100,000. The default is 10,000. */
  limit?: number;
}

const DEFAULT_LIMIT = 10_000;
const MAX_LIMIT = 100_000;

/** Greater than any difference between an instant and its wall time. A segment further from the window is skipped without reading its zone. */
const SEGMENT_MARGIN = 4 * DAY;

/**
 * Returns the occurrences of a series that overlap a window, by the table of RFC 4791 §9.9: an occurrence with a length
 * overlaps if `start < until` and `end > from`, one without a length if `from <= start < until`. The cost depends on the window
 * and on the listed dates and overrides, not on the age of the series. Throws `RecurrenceError`.
 */
export function expand<O extends Override>(
  series: Series<O>,
  window: Window,
  options: ExpandOptions = {},
): Expansion<O> {
  const limit = options.limit ?? DEFAULT_LIMIT;
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw new RecurrenceError('invalid-window', `limit must be an integer from 1 to ${MAX_LIMIT}`);
  }
  if (!series.rule && hasNoLists(series)) {
    const times = expandSingle(series, window);
    const occurrences = times ? [{ recurrenceId: times.start, ...times, override: null }] : [];
    return { occurrences, truncated: false };
  }
  checkWindow(window);
  const { from, until } = window;
  const parsed = parseSeries(series);
  const collector = new OccurrenceCollector(parsed, (start, end) => overlaps(start, end, window));
  collector.addListed(series);
  if (!parsed.plan) return collector.finish(limit);
  const { zone } = parsed;
  const earliest = zone.earliestLocal(clamp(from)) - zone.offsetRangeAt(clamp(from));
  const latest = zone.latestLocal(clamp(until));
  for (const segment of parsed.segments) {
    const { shift, length } = segment;
    if (segment.from + shift > until + SEGMENT_MARGIN || segment.to + shift + length < from - SEGMENT_MARGIN)
      continue;
    collector.addRule(segment, earliest - length, latest, limit);
  }
  return collector.finish(limit);
}

/**
 * Returns the times of an event that takes place once, in epoch ms, or null if it does not overlap the window. {@link expand} takes
 * longer, because it returns objects; most events of a calendar take place once. Throws `RecurrenceError`.
 */
export function expandSingle(series: SeriesTimes, window: Window): { start: number; end: number } | null {
  checkWindow(window);
  const times = parseSingle(series);
  return overlaps(times.start, times.end, window) ? times : null;
}

function checkWindow({ from, until }: Window): void {
  if (!(Number.isFinite(from) && Number.isFinite(until) && from < until))
    throw new RecurrenceError('invalid-window', 'The window must have finite bounds with from < until');
}

function overlaps(start: number, end: number, { from, until }: Window): boolean {
  return start < until && (start === end ? start >= from : end > from);
}

/** Returns the first occurrence that starts at or after an instant (epoch ms), or null if there is none before year 10000. Throws `RecurrenceError`. */
export function nextAfter<O extends Override>(series: Series<O>, instant: number): Occurrence<O> | null {
  if (!Number.isFinite(instant))
    throw new RecurrenceError('invalid-window', 'The instant must be a finite number');
  const parsed = parseSeries(series);
  const collector = new OccurrenceCollector(parsed, (start) => start >= instant);
  collector.addListed(series);
  const earliest = parsed.zone.earliestLocal(clamp(instant));
  for (const segment of parsed.segments) {
    if (segment.to + segment.shift < instant - SEGMENT_MARGIN) continue;
    collector.addRule(segment, earliest, MAX_TIME, 1);
  }
  return collector.finish(1).occurrences[0] ?? null;
}

function hasNoLists({ rdates, exdates, overrides }: Series): boolean {
  return !rdates?.length && !exdates?.length && !overrides?.length;
}

function clamp(instant: number): number {
  return Math.min(Math.max(instant, MIN_TIME), MAX_TIME);
}
