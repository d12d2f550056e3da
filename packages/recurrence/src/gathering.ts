import { DAY } from './civil.ts';
import { endOf, instantOf, type Override, type Reading, type Series, type Stretch } from './series.ts';
import { spend } from './work.ts';

/** What a listed date or an appearance costs: its text is read, or its times are worked out. */
const LISTED_STEPS = 5;
const APPEARANCE_STEPS = 2;

/** One appearance; times in epoch ms, `end` exclusive. */
export interface Appearance<O extends Override = Override> {
  /** Where the rule had placed it: its identity within the series. */
  occurrenceStart: number;
  start: number;
  end: number;
  /** The override that it comes from, as given in the series. */
  override: O | null;
}

export interface Expansion<O extends Override = Override> {
  /** By start, then by `occurrenceStart`; one per `occurrenceStart`. */
  appearances: Appearance<O>[];
  /** There are more than `limit` in the window; these are the first. */
  truncated: boolean;
}

/** Longer than any gap: how far order by wall time and order by instant can differ. */
const DISORDER = DAY;

/** Collects the appearances that are admitted, and knows which slots have been dealt with. */
export class Gathering<O extends Override> {
  private readonly reading: Reading<O>;
  private readonly admits: (start: number, end: number) => boolean;
  private readonly found: Appearance<O>[] = [];
  private taken: Set<number> | null = null;
  private ordered = true;
  /** The earliest start, the latest start and the latest end found. */
  earliest = Number.POSITIVE_INFINITY;
  latest = Number.NEGATIVE_INFINITY;
  end = Number.NEGATIVE_INFINITY;

  constructor(reading: Reading<O>, admits: (start: number, end: number) => boolean) {
    this.reading = reading;
    this.admits = admits;
  }

  /** Overrides, extra dates and the first appearance: whatever does not come from the rule. */
  addListed(series: Series<O>): void {
    const { zone, start, end, stretches } = this.reading;
    const listed =
      (series.exdates?.length ?? 0) + (series.overrides?.length ?? 0) + (series.rdates?.length ?? 0);
    spend(LISTED_STEPS * listed);
    for (const exdate of series.exdates ?? []) this.take(instantOf(exdate, zone));
    for (const override of series.overrides ?? []) {
      const slot = instantOf(override.occurrenceStart, zone);
      if (this.take(slot) && !override.cancelled) this.addOverride(slot, override);
    }
    const rdates = (series.rdates ?? []).map((date) => (typeof date === 'object' ? date : { start: date }));
    // A period that meets another slot keeps its own length.
    rdates.sort((a, b) => Number(a.end == null) - Number(b.end == null));
    for (const rdate of rdates) {
      const slot = instantOf(rdate.start, zone);
      const stretch = stretchOf(stretches, slot);
      if (!this.take(slot) || !stretch) continue;
      if (rdate.end == null) this.addSlot(slot, zone.toLocal(slot), stretch);
      else this.add(slot, slot, Math.max(slot, instantOf(rdate.end, zone)), null);
    }
    const stretch = stretchOf(stretches, start);
    if (!stretch || this.taken?.has(start)) return;
    if (stretch.override) this.addSlot(start, this.reading.wall, stretch);
    else this.add(start, start, end, null);
  }

  /** What the rule's slots of a stretch become within wall times [from, to], until more than `limit` are sure to be found. */
  addRule(stretch: Stretch<O>, from: number, to: number, limit: number): void {
    const { plan, zone } = this.reading;
    const lastSlot = Math.min(this.reading.until, stretch.to);
    if (!plan || lastSlot < stretch.from) return;
    const chunk = Math.min(Math.max(limit + 2, 16), 1024);
    let at = from - stretch.shift;
    if (stretch.override) at = Math.max(at - DISORDER, zone.earliestLocal(stretch.from));
    let last = to - stretch.shift;
    if (lastSlot !== Number.POSITIVE_INFINITY) last = Math.min(last, zone.latestLocal(lastSlot));
    let distinct = 0;
    let latest = Number.NEGATIVE_INFINITY;
    let enoughAt = Number.POSITIVE_INFINITY;
    while (at <= last) {
      const walls = plan.times(at, last, chunk);
      spend(APPEARANCE_STEPS * walls.length);
      for (const wall of walls) {
        if (wall > enoughAt) return;
        const slot = zone.toUtc(wall);
        if (slot > lastSlot || slot < stretch.from || this.taken?.has(slot)) continue;
        if (!this.addSlot(slot, wall, stretch) || slot <= latest) continue;
        latest = slot;
        distinct++;
        if (distinct === limit + 1) enoughAt = wall + DISORDER;
      }
      if (walls.length < chunk) return;
      at = walls.at(-1)! + 1;
    }
  }

  get size(): number {
    return this.found.length;
  }

  finish(limit: number): Expansion<O> {
    let appearances = this.found;
    if (!this.ordered) {
      appearances.sort((a, b) => a.start - b.start || a.occurrenceStart - b.occurrenceStart || b.end - a.end);
      // Two slots that a gap makes one instant are one appearance, the longer one.
      appearances = appearances.filter(
        ({ occurrenceStart }, index) => appearances[index - 1]?.occurrenceStart !== occurrenceStart,
      );
    }
    const truncated = appearances.length > limit;
    return { appearances: truncated ? appearances.slice(0, limit) : appearances, truncated };
  }

  private addOverride(slot: number, override: O): void {
    const { zone, stretches } = this.reading;
    const start = override.start == null ? slot : instantOf(override.start, zone);
    const length = stretchOf(stretches, slot)?.length ?? 0;
    const end =
      override.end == null ? endOf(zone, zone.toLocal(start), start, length) : instantOf(override.end, zone);
    this.add(slot, start, Math.max(start, end), override);
  }

  private addSlot(slot: number, wall: number, stretch: Stretch<O>): boolean {
    const { zone } = this.reading;
    const { shift, length, override } = stretch;
    if (!override) return this.add(slot, slot, endOf(zone, wall, slot, length), null);
    // From what the clock shows at the slot: two that a gap makes one instant must move as one.
    const moved = zone.toLocal(slot) + shift;
    const start = zone.toUtc(moved);
    return this.add(slot, start, endOf(zone, moved, start, length), override);
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
    if (start < this.earliest) this.earliest = start;
    if (end > this.end) this.end = end;
    this.found.push({ occurrenceStart, start, end, override });
    return true;
  }
}

/** The stretch that holds a slot; they are in order, and leave out what is cancelled. */
function stretchOf<O extends Override>(
  stretches: readonly Stretch<O>[],
  slot: number,
): Stretch<O> | undefined {
  let low = 0;
  let high = stretches.length;
  // The last stretch that begins at or before the slot.
  while (low < high) {
    spend(1);
    const middle = (low + high) >> 1;
    if (stretches[middle]!.from <= slot) low = middle + 1;
    else high = middle;
  }
  const stretch = stretches[low - 1];
  return stretch && slot <= stretch.to ? stretch : undefined;
}
