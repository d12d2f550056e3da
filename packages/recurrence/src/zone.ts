import { DAY, dayOf, FIRST_MOMENT, HOUR, LAST_MOMENT } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import { spend } from './work.ts';
import { resolveZone } from './zone-names.ts';

/** What a block costs: about 120 questions to `Intl`. */
const BLOCK_STEPS = 2_000;

/** Zone tables are made in blocks of about 388 days, so a distant year costs no more than a near one. */
const BLOCK = 2 ** 25 * 1000;

/** Longer than any offset and any gap: a wall time and its instant lie in the same block or in its margin. */
const MARGIN = 2 * DAY;

/** Shorter than any pair of changes in the tz database that cancel each other out (Freetown 1939: 3.99 days). */
const PROBE = 3.5 * DAY;

/** Blocks kept per zone. */
const MAX_BLOCKS = 128;

/** Where `Intl` is asked: never so near the ends that a zone's date falls outside the years it is read in. */
const FIRST_ASKED = FIRST_MOMENT + 3 * DAY;
const LAST_ASKED = LAST_MOMENT - 3 * DAY;

/** The offsets in force over one block; offsets and times in ms. */
interface Block {
  /** Instants at which the offset changes. */
  changes: number[];
  /** Wall times from which the new offset holds: the end of a gap, or of the first pass through an overlap. */
  walls: number[];
  /** One more than `changes`. */
  offsets: number[];
  least: number;
  greatest: number;
}

const UTC: Block = { changes: [], walls: [], offsets: [0], least: 0, greatest: 0 };

/** A time zone as a table of offset changes, made from `Intl` block by block as it is asked for. */
export class Zone {
  readonly name: string;
  private readonly format: Intl.DateTimeFormat;
  private readonly blocks = new Map<number, Block>();
  private lastIndex = Number.NaN;
  private last: Block = UTC;

  /** `name` must be one that `Intl` knows. */
  constructor(name: string) {
    this.name = name;
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** Instant of a wall time. In a gap the offset before it counts (the time moves forward); in an overlap the first pass does. */
  toUtc(wall: number): number {
    const { walls, offsets } = this.blockAt(wall);
    let index = 0;
    while (index < walls.length && wall >= walls[index]!) index++;
    return wall - offsets[index]!;
  }

  toLocal(instant: number): number {
    const { changes, offsets } = this.blockAt(instant);
    let index = 0;
    while (index < changes.length && instant >= changes[index]!) index++;
    return instant + offsets[index]!;
  }

  /** A wall time at or before that of every instant from `instant` on. */
  earliestLocal(instant: number): number {
    return instant + this.blockAt(instant).least;
  }

  /** A wall time at or after that of every instant up to `instant`. */
  latestLocal(instant: number): number {
    return instant + this.blockAt(instant).greatest;
  }

  /** The widest change of offset around a moment: how far order by wall time and by instant can differ there. */
  disorderAt(moment: number): number {
    const block = this.blockAt(moment);
    return block.greatest - block.least;
  }

  private blockAt(moment: number): Block {
    const index = Math.floor(moment / BLOCK);
    if (index === this.lastIndex) return this.last;
    let block = this.blocks.get(index);
    if (!block) {
      block = this.name === 'UTC' ? UTC : this.makeBlock(index * BLOCK);
      if (this.blocks.size >= MAX_BLOCKS) this.blocks.clear();
      this.blocks.set(index, block);
    }
    this.lastIndex = index;
    this.last = block;
    return block;
  }

  private makeBlock(start: number): Block {
    spend(BLOCK_STEPS);
    const end = start + BLOCK + MARGIN;
    let at = start - MARGIN;
    let offset = this.offsetAt(at);
    const block: Block = { changes: [], walls: [], offsets: [offset], least: offset, greatest: offset };
    while (at < end) {
      const next = Math.min(at + PROBE, end);
      const nextOffset = this.offsetAt(next);
      while (offset !== nextOffset) {
        const change = this.changeBetween(at, next, offset);
        const before = offset;
        offset = this.offsetAt(change);
        at = change;
        block.changes.push(change);
        block.walls.push(change + Math.max(before, offset));
        block.offsets.push(offset);
        block.least = Math.min(block.least, offset);
        block.greatest = Math.max(block.greatest, offset);
      }
      at = next;
    }
    return block;
  }

  /** The first whole second in (low, high] at which the offset is no longer `offset`. */
  private changeBetween(low: number, high: number, offset: number): number {
    let same = Math.floor(low / 1000);
    let changed = Math.ceil(high / 1000);
    while (changed - same > 1) {
      const middle = Math.floor((same + changed) / 2);
      if (this.offsetAt(middle * 1000) === offset) same = middle;
      else changed = middle;
    }
    return changed * 1000;
  }

  private offsetAt(instant: number): number {
    const at = Math.floor(Math.min(Math.max(instant, FIRST_ASKED), LAST_ASKED) / 1000) * 1000;
    const [month, day, year, hour, minute, second] = this.format.format(at).match(/\d+/g)!.map(Number);
    return dayOf(year!, month!, day!) * DAY + hour! * HOUR + minute! * 60_000 + second! * 1000 - at;
  }
}

const zones = new Map<string, Zone>();

/** The zone of an IANA, alias or Windows name; tables are shared by all callers. Throws `unknown-zone`. */
export function zoneNamed(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const canonical = resolveZone(name);
  if (canonical === null) {
    throw new RecurrenceError('unknown-zone', `No such time zone: ${JSON.stringify(name.slice(0, 80))}`);
  }
  let zone = zones.get(canonical);
  if (!zone) {
    zone = new Zone(canonical);
    zones.set(canonical, zone);
  }
  return zone;
}

/**
 * The instant (epoch ms) of a wall time in a zone. A wall time is in ms, its fields read as if they were UTC (`parseLocal`).
 * A time in a gap takes the offset before it and so moves forward; an ambiguous one is the first (RFC 5545 §3.3.5).
 * Throws `unknown-zone`.
 */
export function localToUtc(wall: number, zone: string): number {
  spend(1);
  return zoneNamed(zone).toUtc(wall);
}

/** The wall time (ms, as `parseLocal` gives it) that a zone shows at an instant (epoch ms). Throws `unknown-zone`. */
export function utcToLocal(instant: number, zone: string): number {
  spend(1);
  return zoneNamed(zone).toLocal(instant);
}
