import { DAY, FIRST_MOMENT, LAST_MOMENT } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import { type Appearance, type Expansion, Gathering } from './gathering.ts';
import { type Override, readSeries, type Series } from './series.ts';

/** Half-open, epoch ms. */
export interface Window {
  from: number;
  until: number;
}

export interface ExpandOptions {
  /** Most appearances answered, 1 to 100,000; 10,000 when left out. */
  limit?: number;
}

const DEFAULT_LIMIT = 10_000;
const MAX_LIMIT = 100_000;

/** Longer than instants and wall times can differ: what lies further away needs no look at the zone. */
const MARGIN = 4 * DAY;

/**
 * The appearances of a series that overlap a window, by the table of RFC 4791 §9.9: one with a length belongs to it when
 * `start < until` and `end > from`, one without when `from <= start < until`. The work grows with the window and with the
 * dates and overrides listed, not with the age of the series. Throws `RecurrenceError`.
 */
export function expand<O extends Override>(
  series: Series<O>,
  window: Window,
  options: ExpandOptions = {},
): Expansion<O> {
  const { from, until } = window;
  if (!(Number.isFinite(from) && Number.isFinite(until) && from < until)) {
    throw new RecurrenceError('invalid-window', 'A window needs finite `from` < `until`');
  }
  const limit = options.limit ?? DEFAULT_LIMIT;
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw new RecurrenceError('invalid-window', `limit must be from 1 to ${MAX_LIMIT}`);
  }
  const reading = readSeries(series);
  const gathering = new Gathering(reading, (start, end) => {
    return start < until && (start === end ? start >= from : end > from);
  });
  gathering.addListed(series);
  const { zone } = reading;
  const earliest = zone.earliestLocal(clamp(from)) - zone.disorderAt(clamp(from));
  const latest = zone.latestLocal(clamp(until));
  for (const stretch of reading.stretches) {
    const { shift, length } = stretch;
    if (stretch.from + shift > until + MARGIN || stretch.to + shift + length < from - MARGIN) continue;
    gathering.addRule(stretch, earliest - length, latest, limit);
  }
  return gathering.finish(limit);
}

/** The first appearance that starts at or after an instant (epoch ms); null when there is none before the year 10000. Throws `RecurrenceError`. */
export function nextAfter<O extends Override>(series: Series<O>, instant: number): Appearance<O> | null {
  if (!Number.isFinite(instant)) throw new RecurrenceError('invalid-window', 'An instant is a finite number');
  const reading = readSeries(series);
  const gathering = new Gathering(reading, (start) => start >= instant);
  gathering.addListed(series);
  const earliest = reading.zone.earliestLocal(clamp(instant));
  for (const stretch of reading.stretches) {
    if (stretch.to + stretch.shift < instant - MARGIN) continue;
    gathering.addRule(stretch, earliest, LAST_MOMENT, 1);
  }
  return gathering.finish(1).appearances[0] ?? null;
}

function clamp(instant: number): number {
  return Math.min(Math.max(instant, FIRST_MOMENT), LAST_MOMENT);
}
