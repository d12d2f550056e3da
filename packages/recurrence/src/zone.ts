import { DAY, dayOf, HOUR, MAX_TIME, MIN_TIME } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import { spend } from './work.ts';
import { resolveZone } from './zone-names.ts';

/** Steps for creating a block, which calls `Intl` about 120 times. */
const BLOCK_STEPS = 2_000;

/** The length of a block of a zone table, about 388 days. A block is created when it is first needed. */
const BLOCK_LENGTH = 2 ** 25 * 1000;

/** Greater than any offset or clock change. A block also covers this margin on both sides, so that it has both a wall time and its instant. */
const BLOCK_MARGIN = 2 * DAY;

/** The interval at which offsets are compared. Two changes that cancel each other out are further apart (at least 3.99 days: Freetown 1939). */
const PROBE_INTERVAL = 3.5 * DAY;

/** Maximum number of cached blocks per zone. */
const MAX_BLOCKS = 128;

/** The range in which `Intl` is called. Its margin keeps local dates within the supported years. */
const FIRST_QUERIED = MIN_TIME + 3 * DAY;
const LAST_QUERIED = MAX_TIME - 3 * DAY;

/** The offsets of one block. Offsets and times are in ms. */
interface Block {
  /** The instants at which the offset changes. */
  changes: number[];
  /** The wall times from which the new offset applies: the end of a gap, or of the first pass through an overlap. */
  walls: number[];
  /** One entry more than `changes`. */
  offsets: number[];
  minOffset: number;
  maxOffset: number;
}

const UTC: Block = { changes: [], walls: [], offsets: [0], minOffset: 0, maxOffset: 0 };

/** A time zone as a table of offset changes, which is read from `Intl` block by block on demand. */
export class Zone {
  readonly name: string;
  private readonly format: Intl.DateTimeFormat;
  private readonly blocks = new Map<number, Block>();
  private lastIndex = Number.NaN;
  private last: Block = UTC;

  /** `name` must be known to `Intl`. */
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

  /** Returns the instant of a wall time. A time in a gap moves forward by the gap; in an overlap, the first pass counts. */
  toUtc(wall: number): number {
    const { walls, offsets } = this.blockAt(wall);
    let index = 0;
    while (index < walls.length && wall >= walls[index]!) index++;
    return wall - offsets[index]!;
  }

  /** Returns the wall time of an instant. */
  toLocal(instant: number): number {
    const { changes, offsets } = this.blockAt(instant);
    let index = 0;
    while (index < changes.length && instant >= changes[index]!) index++;
    return instant + offsets[index]!;
  }

  /** Returns a lower bound of the wall times of all instants from `instant` on. */
  earliestLocal(instant: number): number {
    return instant + this.blockAt(instant).minOffset;
  }

  /** Returns an upper bound of the wall times of all instants up to `instant`. */
  latestLocal(instant: number): number {
    return instant + this.blockAt(instant).maxOffset;
  }

  /** Returns the difference between the greatest and the least offset around a time (ms). Wall times further apart have the same order as their instants. */
  offsetRangeAt(time: number): number {
    const block = this.blockAt(time);
    return block.maxOffset - block.minOffset;
  }

  private blockAt(time: number): Block {
    const index = Math.floor(time / BLOCK_LENGTH);
    if (index === this.lastIndex) return this.last;
    let block = this.blocks.get(index);
    if (!block) {
      block = this.name === 'UTC' ? UTC : this.makeBlock(index * BLOCK_LENGTH);
      if (this.blocks.size >= MAX_BLOCKS) this.blocks.clear();
      this.blocks.set(index, block);
    }
    this.lastIndex = index;
    this.last = block;
    return block;
  }

  private makeBlock(start: number): Block {
    spend(BLOCK_STEPS);
    const end = start + BLOCK_LENGTH + BLOCK_MARGIN;
    let at = start - BLOCK_MARGIN;
    let offset = this.offsetAt(at);
    const block: Block = { changes: [], walls: [], offsets: [offset], minOffset: offset, maxOffset: offset };
    while (at < end) {
      const next = Math.min(at + PROBE_INTERVAL, end);
      const nextOffset = this.offsetAt(next);
      while (offset !== nextOffset) {
        const change = this.changeBetween(at, next, offset);
        const before = offset;
        offset = this.offsetAt(change);
        at = change;
        block.changes.push(change);
        block.walls.push(change + Math.max(before, offset));
        block.offsets.push(offset);
        block.minOffset = Math.min(block.minOffset, offset);
        block.maxOffset = Math.max(block.maxOffset, offset);
      }
      at = next;
    }
    return block;
  }

  /** Returns the first whole second in (low, high] at which the offset is no longer `offset`. */
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
    const at = Math.floor(Math.min(Math.max(instant, FIRST_QUERIED), LAST_QUERIED) / 1000) * 1000;
    const [month, day, year, hour, minute, second] = this.format.format(at).match(/\d+/g)!.map(Number);
    return dayOf(year!, month!, day!) * DAY + hour! * HOUR + minute! * 60_000 + second! * 1000 - at;
  }
}

const zones = new Map<string, Zone>();

/** Returns the zone with an IANA name, an alias or a Windows name. All callers share its table. Throws `unknown-zone`. */
export function zoneNamed(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const canonical = resolveZone(name);
  if (canonical === null) {
    throw new RecurrenceError('unknown-zone', `Unknown time zone ${JSON.stringify(name.slice(0, 80))}`);
  }
  let zone = zones.get(canonical);
  if (!zone) {
    zone = new Zone(canonical);
    zones.set(canonical, zone);
  }
  return zone;
}

/**
 * Returns the instant (epoch ms) of a wall time in a zone. A wall time is in ms, with its fields read as UTC (`parseLocal`).
 * A time in a gap moves forward by the gap; of an ambiguous time, the first instant counts (RFC 5545 §3.3.5).
 * Throws `unknown-zone`.
 */
export function localToUtc(wall: number, zone: string): number {
  spend(1);
  return zoneNamed(zone).toUtc(wall);
}

/** Returns the wall time (ms, as from `parseLocal`) of a zone at an instant (epoch ms). Throws `unknown-zone`. */
export function utcToLocal(instant: number, zone: string): number {
  spend(1);
  return zoneNamed(zone).toLocal(instant);
}
