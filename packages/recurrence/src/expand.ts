import { DAY } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import { HORIZON } from './plan.ts';
import { endOf, instantOf, type Override, type Reading, readSeries, type Series } from './series.ts';

/** One appearance; times in epoch ms, `end` exclusive. */
export interface Appearance<O extends Override = Override> {
  /** Where the rule had placed it: its identity within the series. */
  occurrenceStart: number;
  start: number;
  end: number;
  /** The override that it comes from, as given in the series. */
  override: O | null;
}

/** Half-open, epoch ms. */
export interface Window {
  from: number;
  until: number;
}

export interface ExpandOptions {
  /** Most appearances answered, 1 to 100,000. */
  limit?: number;
}

export interface Expansion<O extends Override = Override> {
  /** By start, then by `occurrenceStart`; one per `occurrenceStart`. */
  appearances: Appearance<O>[];
  /** There are more than `limit` in the window; these are the first. */
  truncated: boolean;
}

const DEFAULT_LIMIT = 10_000;
const MAX_LIMIT = 100_000;

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
  const gathering = new Gathering<O>(
    (start, end) => start < until && (start === end ? start >= from : end > from),
  );
  gathering.addListed(series, reading);
  const reach = reading.length + reading.zone.disorderAt(clamp(from));
  const first = reading.zone.earliestLocal(clamp(from)) - reach;
  gathering.addRule(reading, first, reading.zone.latestLocal(clamp(until)), limit);
  return gathering.finish(limit);
}

/** The first appearance that starts at or after an instant (epoch ms); null when there is none before the year 10000. Throws `RecurrenceError`. */
export function nextAfter<O extends Override>(series: Series<O>, instant: number): Appearance<O> | null {
  if (!Number.isFinite(instant)) throw new RecurrenceError('invalid-window', 'An instant is a finite number');
  const reading = readSeries(series);
  const gathering = new Gathering<O>((start) => start >= instant);
  gathering.addListed(series, reading);
  gathering.addRule(reading, reading.zone.earliestLocal(clamp(instant)), HORIZON, 1);
  return gathering.finish(1).appearances[0] ?? null;
}

/** Collects appearances that are admitted; knows which slots are taken. */
class Gathering<O extends Override> {
  private readonly admits: (start: number, end: number) => boolean;
  private readonly found: Appearance<O>[] = [];
  private taken: Set<number> | null = null;
  private ordered = true;
  private latest = Number.NEGATIVE_INFINITY;

  constructor(admits: (start: number, end: number) => boolean) {
    this.admits = admits;
  }

  /** Overrides, extra dates and the first appearance: whatever does not come from the rule. */
  addListed(series: Series<O>, reading: Reading): void {
    const { zone } = reading;
    for (const exdate of series.exdates ?? []) this.take(instantOf(exdate, zone));
    for (const override of series.overrides ?? []) {
      const slot = instantOf(override.occurrenceStart, zone);
      if (!this.take(slot) || override.cancelled) continue;
      const start = override.start == null ? slot : instantOf(override.start, zone);
      const end = override.end == null ? endAfter(reading, start) : instantOf(override.end, zone);
      this.add(slot, start, Math.max(start, end), override);
    }
    const rdates = (series.rdates ?? []).map((date) => (typeof date === 'object' ? date : { start: date }));
    // A period that meets another slot keeps its own length.
    rdates.sort((a, b) => Number(a.end == null) - Number(b.end == null));
    for (const { start, end } of rdates) {
      const slot = instantOf(start, zone);
      if (!this.take(slot)) continue;
      this.add(
        slot,
        slot,
        end == null ? endAfter(reading, slot) : Math.max(slot, instantOf(end, zone)),
        null,
      );
    }
    if (!this.taken?.has(reading.start)) this.add(reading.start, reading.start, reading.end, null);
  }

  /** Slots of the rule within wall times [from, to], until more than `limit` are sure to be found. */
  addRule(reading: Reading, from: number, to: number, limit: number): void {
    const { plan, zone, length, until } = reading;
    if (!plan) return;
    const chunk = Math.min(Math.max(limit + 2, 16), 1024);
    const last = until === Number.POSITIVE_INFINITY ? to : Math.min(to, zone.latestLocal(until));
    let at = from;
    let distinct = this.found.length;
    let enoughAt = Number.POSITIVE_INFINITY;
    while (at <= last) {
      const times = plan.times(at, last, chunk);
      for (const wall of times) {
        // Order by wall time and by instant differ around a gap, by less than a day.
        if (wall > enoughAt) return;
        const start = zone.toUtc(wall);
        if (start > until || this.taken?.has(start)) continue;
        const later = start > this.latest;
        if (!this.add(start, start, endOf(zone, wall, start, length), null)) continue;
        if (later && ++distinct > limit && enoughAt === Number.POSITIVE_INFINITY) enoughAt = wall + DAY;
      }
      if (times.length < chunk) return;
      at = times.at(-1)! + 1;
    }
  }

  finish(limit: number): Expansion<O> {
    let appearances = this.found;
    if (!this.ordered) {
      appearances.sort((a, b) => a.start - b.start || a.occurrenceStart - b.occurrenceStart);
      appearances = appearances.filter(
        ({ start, occurrenceStart }, index) =>
          index === 0 ||
          appearances[index - 1]!.occurrenceStart !== occurrenceStart ||
          appearances[index - 1]!.start !== start,
      );
    }
    const truncated = appearances.length > limit;
    return { appearances: truncated ? appearances.slice(0, limit) : appearances, truncated };
  }

  /** Marks a slot as dealt with; false when it already was. */
  private take(slot: number): boolean {
    this.taken ??= new Set();
    const before = this.taken.size;
    return this.taken.add(slot).size > before;
  }

  private add(occurrenceStart: number, start: number, end: number, override: O | null): boolean {
    if (!this.admits(start, end)) return false;
    if (start > this.latest) this.latest = start;
    else this.ordered = false;
    this.found.push({ occurrenceStart, start, end, override });
    return true;
  }
}

/** The end of an appearance that was placed at an instant rather than by the rule. */
function endAfter(reading: Reading, start: number): number {
  return endOf(reading.zone, reading.zone.toLocal(start), start, reading.length);
}

function clamp(instant: number): number {
  return Math.min(Math.max(instant, -62_135_596_800_000), HORIZON);
}
