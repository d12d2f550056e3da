import { DAY } from './civil.ts';
import { endOf, instantOf, type Override, type ParsedSeries, type Segment, type Series } from './series.ts';
import { spend } from './work.ts';

/** Steps for parsing a listed date, and for computing the times of an occurrence. */
const LISTED_STEPS = 5;
const OCCURRENCE_STEPS = 2;

/** One occurrence of a series. Times are in epoch ms; `end` is exclusive. */
export interface Occurrence<O extends Override = Override> {
  /** The original start (RECURRENCE-ID), which identifies the occurrence within the series. */
  recurrenceId: number;
  start: number;
  end: number;
  /** The override that changed the occurrence, as given in the series. */
  override: O | null;
}

export interface Expansion<O extends Override = Override> {
  /** Sorted by start, then by `recurrenceId`. Each `recurrenceId` occurs once. */
  occurrences: Occurrence<O>[];
  /** Whether the window has more than `limit` occurrences; these are the first. */
  truncated: boolean;
}

/** The largest clock change of any zone, for example Pacific/Apia in 2011. Wall times further apart have the same order as their instants. */
const MAX_CLOCK_CHANGE = DAY;

/** Collects the occurrences that a filter accepts, and keeps track of the recurrence ids that are already handled. */
export class OccurrenceCollector<O extends Override> {
  private readonly parsed: ParsedSeries<O>;
  private readonly accepts: (start: number, end: number) => boolean;
  private readonly found: Occurrence<O>[] = [];
  private handled: Set<number> | null = null;
  private ordered = true;
  /** The earliest start, the latest start and the latest end collected. */
  earliest = Number.POSITIVE_INFINITY;
  latest = Number.NEGATIVE_INFINITY;
  end = Number.NEGATIVE_INFINITY;

  constructor(parsed: ParsedSeries<O>, accepts: (start: number, end: number) => boolean) {
    this.parsed = parsed;
    this.accepts = accepts;
  }

  /** Adds the occurrences that do not come from the rule: overrides, extra dates and the first one. Marks exception dates as handled. */
  addListed(series: Series<O>): void {
    const { zone, start, end, segments } = this.parsed;
    const listed =
      (series.exdates?.length ?? 0) + (series.overrides?.length ?? 0) + (series.rdates?.length ?? 0);
    spend(LISTED_STEPS * listed);
    for (const exdate of series.exdates ?? []) this.markHandled(instantOf(exdate, zone));
    for (const override of series.overrides ?? []) {
      const recurrenceId = instantOf(override.recurrenceId, zone);
      if (this.markHandled(recurrenceId) && !override.cancelled) this.addOverride(recurrenceId, override);
    }
    const rdates = (series.rdates ?? []).map((date) => (typeof date === 'object' ? date : { start: date }));
    // Periods first: of a period and a plain date with the same start, the period counts.
    rdates.sort((a, b) => Number(a.end == null) - Number(b.end == null));
    for (const rdate of rdates) {
      const recurrenceId = instantOf(rdate.start, zone);
      const segment = segmentOf(segments, recurrenceId);
      if (!this.markHandled(recurrenceId) || !segment) continue;
      if (rdate.end == null) this.addRuleOccurrence(recurrenceId, zone.toLocal(recurrenceId), segment);
      else this.add(recurrenceId, recurrenceId, Math.max(recurrenceId, instantOf(rdate.end, zone)), null);
    }
    const segment = segmentOf(segments, start);
    if (!segment || this.handled?.has(start)) return;
    if (segment.override) this.addRuleOccurrence(start, this.parsed.wall, segment);
    else this.add(start, start, end, null);
  }

  /** Adds the occurrences of the rule in a segment, within wall times [from, to]. Stops once it has the first `limit` and at least one more. */
  addRule(segment: Segment<O>, from: number, to: number, limit: number): void {
    const { plan, zone } = this.parsed;
    const lastRecurrenceId = Math.min(this.parsed.until, segment.to);
    if (!plan || lastRecurrenceId < segment.from) return;
    const chunk = Math.min(Math.max(limit + 2, 16), 1024);
    let at = from - segment.shift;
    if (segment.override) at = Math.max(at - MAX_CLOCK_CHANGE, zone.earliestLocal(segment.from));
    let last = to - segment.shift;
    if (lastRecurrenceId !== Number.POSITIVE_INFINITY)
      last = Math.min(last, zone.latestLocal(lastRecurrenceId));
    let distinct = 0;
    let latest = Number.NEGATIVE_INFINITY;
    let enoughAt = Number.POSITIVE_INFINITY;
    while (at <= last) {
      const walls = plan.times(at, last, chunk);
      spend(OCCURRENCE_STEPS * walls.length);
      for (const wall of walls) {
        if (wall > enoughAt) return;
        const recurrenceId = zone.toUtc(wall);
        if (recurrenceId > lastRecurrenceId || recurrenceId < segment.from || this.handled?.has(recurrenceId))
          continue;
        if (!this.addRuleOccurrence(recurrenceId, wall, segment) || recurrenceId <= latest) continue;
        latest = recurrenceId;
        distinct++;
        if (distinct === limit + 1) enoughAt = wall + MAX_CLOCK_CHANGE;
      }
      if (walls.length < chunk) return;
      at = walls.at(-1)! + 1;
    }
  }

  /** The number of occurrences collected. */
  get size(): number {
    return this.found.length;
  }

  /** Returns the first `limit` collected occurrences, sorted and without duplicates. */
  finish(limit: number): Expansion<O> {
    let occurrences = this.found;
    if (!this.ordered) {
      occurrences.sort((a, b) => a.start - b.start || a.recurrenceId - b.recurrenceId || b.end - a.end);
      // A gap can turn two wall times into one instant. They are one occurrence, the longer one.
      occurrences = occurrences.filter(
        ({ recurrenceId }, index) => occurrences[index - 1]?.recurrenceId !== recurrenceId,
      );
    }
    const truncated = occurrences.length > limit;
    return { occurrences: truncated ? occurrences.slice(0, limit) : occurrences, truncated };
  }

  private addOverride(recurrenceId: number, override: O): void {
    const { zone, segments } = this.parsed;
    const start = override.start == null ? recurrenceId : instantOf(override.start, zone);
    const length = segmentOf(segments, recurrenceId)?.length ?? 0;
    const end =
      override.end == null ? endOf(zone, zone.toLocal(start), start, length) : instantOf(override.end, zone);
    this.add(recurrenceId, start, Math.max(start, end), override);
  }

  private addRuleOccurrence(recurrenceId: number, wall: number, segment: Segment<O>): boolean {
    const { zone } = this.parsed;
    const { shift, length, override } = segment;
    if (!override) return this.add(recurrenceId, recurrenceId, endOf(zone, wall, recurrenceId, length), null);
    // Shifted from the local time of the instant, because two wall times that a gap turns into one instant must move together.
    const moved = zone.toLocal(recurrenceId) + shift;
    const start = zone.toUtc(moved);
    return this.add(recurrenceId, start, endOf(zone, moved, start, length), override);
  }

  /** Marks a recurrence id as handled. Returns false if it already was. */
  private markHandled(recurrenceId: number): boolean {
    this.handled ??= new Set();
    const before = this.handled.size;
    return this.handled.add(recurrenceId).size > before;
  }

  private add(recurrenceId: number, start: number, end: number, override: O | null): boolean {
    if (!this.accepts(start, end)) return false;
    if (start > this.latest) this.latest = start;
    else this.ordered = false;
    if (start < this.earliest) this.earliest = start;
    if (end > this.end) this.end = end;
    this.found.push({ recurrenceId, start, end, override });
    return true;
  }
}

/** Returns the segment that contains a recurrence id. Segments are sorted; cancelled ranges have none. */
function segmentOf<O extends Override>(
  segments: readonly Segment<O>[],
  recurrenceId: number,
): Segment<O> | undefined {
  let low = 0;
  let high = segments.length;
  // Binary search for the last segment that begins at or before the recurrence id.
  while (low < high) {
    spend(1);
    const middle = (low + high) >> 1;
    if (segments[middle]!.from <= recurrenceId) low = middle + 1;
    else high = middle;
  }
  const segment = segments[low - 1];
  return segment && recurrenceId <= segment.to ? segment : undefined;
}
