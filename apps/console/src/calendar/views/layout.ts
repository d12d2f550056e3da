import { addDays, DAY_MS, type Day, dayOf, daysBetween, msOf } from './days.ts';

const MINUTE_MS = 60_000;
export const DAY_MINUTES = 1_440;

/** An event in wall-clock time (see `wall-clock.ts`), in which every day has 24 hours. */
export interface Span<Event> {
  event: Event;
  start: number;
  end: number;
  /** Whether it is shown above the hours: all-day events and events of a day or longer. */
  isWholeDays: boolean;
}

/** The part of an event within one day: its minutes and its column among overlapping events. */
export interface DayPiece<Event> {
  event: Event;
  from: number;
  until: number;
  column: number;
  /** The number of columns. */
  columns: number;
}

/** An event across the days of a row: its day indexes, inclusive, and its lane. */
export interface LanePiece<Event> {
  event: Event;
  firstDay: number;
  lastDay: number;
  lane: number;
  /** Whether the event continues beyond the row. */
  continuesBefore: boolean;
  continuesAfter: boolean;
}

/** Shorter events are drawn with this length, so that they can be read and clicked. */
export const SHORTEST_MINUTES = 30;

/**
 * Returns the span of a timed event. When clocks go back, the local end can be before the local start; the real duration is
 * used then.
 */
export function timedSpan<Event>(event: Event, start: number, end: number, durationMs: number): Span<Event> {
  const until = end > start || durationMs === 0 ? Math.max(start, end) : start + durationMs;
  return { event, start, end: until, isWholeDays: durationMs >= DAY_MS };
}

/** Lays out the timed events of one day. Overlapping events are side by side. */
export function layoutDay<Event>(spans: readonly Span<Event>[], day: Day): DayPiece<Event>[] {
  const midnight = msOf(day);
  const pieces = spans
    .filter((span) => !span.isWholeDays && touches(span, midnight, midnight + DAY_MS))
    .map(({ event, start, end }) => {
      const from = Math.min(minutes(start - midnight), DAY_MINUTES - SHORTEST_MINUTES);
      const until = Math.max(minutes(end - midnight), from + SHORTEST_MINUTES);
      return { event, from, until, column: 0, columns: 1 };
    })
    .sort((a, b) => a.from - b.from || b.until - a.until);

  let cluster: typeof pieces = [];
  let clusterEnd = 0;
  for (const piece of pieces) {
    if (piece.from >= clusterEnd) {
      arrange(cluster);
      cluster = [];
    }
    cluster.push(piece);
    clusterEnd = Math.max(clusterEnd, piece.until);
  }
  arrange(cluster);
  return pieces;
}

/** Puts each event into the first column that is free at its start. */
function arrange(cluster: DayPiece<unknown>[]): void {
  const ends: number[] = [];
  for (const piece of cluster) {
    const free = ends.findIndex((end) => end <= piece.from);
    piece.column = free < 0 ? ends.length : free;
    ends[piece.column] = piece.until;
  }
  for (const piece of cluster) piece.columns = ends.length;
}

/** Lays out events across the days of a row, each in the first lane free on all of its days. Longer events come first. */
export function layoutLanes<Event>(
  spans: readonly Span<Event>[],
  firstDay: Day,
  days: number,
): LanePiece<Event>[] {
  const from = msOf(firstDay);
  const until = msOf(addDays(firstDay, days));
  const taken: boolean[][] = [];
  return spans
    .filter((span) => touches(span, from, until))
    .map((span) => {
      // An end at midnight belongs to the day before.
      const last = daysBetween(firstDay, dayOf(Math.max(span.start, span.end - 1)));
      const first = daysBetween(firstDay, dayOf(span.start));
      return {
        span,
        firstDay: Math.max(0, first),
        lastDay: Math.min(days - 1, last),
        continuesBefore: first < 0,
        continuesAfter: last >= days,
      };
    })
    .sort(
      (a, b) =>
        a.firstDay - b.firstDay ||
        b.lastDay - a.lastDay ||
        Number(b.span.isWholeDays) - Number(a.span.isWholeDays) ||
        a.span.start - b.span.start,
    )
    .map(({ span, ...piece }) => {
      let lane = 0;
      const isFree = (takenDays: boolean[] | undefined) =>
        !takenDays?.slice(piece.firstDay, piece.lastDay + 1).some(Boolean);
      while (!isFree(taken[lane])) lane++;
      const takenDays = taken[lane] ?? Array<boolean>(days).fill(false);
      taken[lane] = takenDays.fill(true, piece.firstDay, piece.lastDay + 1);
      return { event: span.event, ...piece, lane };
    });
}

/** Returns whether a span overlaps a window. A span without duration counts by its start. */
function touches({ start, end }: Span<unknown>, from: number, until: number): boolean {
  return start < until && (end > from || (end === start && start >= from));
}

function minutes(ms: number): number {
  return Math.min(DAY_MINUTES, Math.max(0, Math.round(ms / MINUTE_MS)));
}
