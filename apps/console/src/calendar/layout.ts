import { addDays, DAY_MS, type Day, dayOf, daysBetween, msOf } from './days.ts';

const MINUTE_MS = 60_000;
export const DAY_MINUTES = 1_440;

/** An event by the clock on the wall (see `zone.ts`): days are 24 hours long there, whatever the zone does that night. */
export interface Span<Event> {
  event: Event;
  start: number;
  end: number;
  /** Belongs beside the hours, not among them: all-day events, and what lasts a day or longer. */
  isWholeDays: boolean;
}

/** Part of an event within one day: minutes of it, and its place among those at the same time. */
export interface DayPiece<Event> {
  event: Event;
  from: number;
  until: number;
  column: number;
  /** Of how many. */
  columns: number;
}

/** An event across days of a row: day indexes, the last one included, and its line. */
export interface LanePiece<Event> {
  event: Event;
  firstDay: number;
  lastDay: number;
  lane: number;
  /** Whether it goes on beyond the row. */
  continuesBefore: boolean;
  continuesAfter: boolean;
}

/** A short event is as high as one of so many minutes: high enough to be read and hit. */
export const SHORTEST_MINUTES = 30;

/**
 * The span of a timed event. Over a night that repeats an hour, an end can read before its start; then it is as long as it
 * truly lasts.
 */
export function timedSpan<Event>(event: Event, start: number, end: number, lastsMs: number): Span<Event> {
  const until = end > start || lastsMs === 0 ? Math.max(start, end) : start + lastsMs;
  return { event, start, end: until, isWholeDays: lastsMs >= DAY_MS };
}

/** The timed events of one day, those that overlap side by side. */
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

/** Puts each into the first column that is free at its start. */
function arrange(cluster: DayPiece<unknown>[]): void {
  const ends: number[] = [];
  for (const piece of cluster) {
    const free = ends.findIndex((end) => end <= piece.from);
    piece.column = free < 0 ? ends.length : free;
    ends[piece.column] = piece.until;
  }
  for (const piece of cluster) piece.columns = ends.length;
}

/** Events across the days of a row, each on the first line that is free for all of its days; longer ones above. */
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
      const isFree = (line: boolean[] | undefined) =>
        !line?.slice(piece.firstDay, piece.lastDay + 1).some(Boolean);
      while (!isFree(taken[lane])) lane++;
      const line = taken[lane] ?? Array<boolean>(days).fill(false);
      taken[lane] = line.fill(true, piece.firstDay, piece.lastDay + 1);
      return { event: span.event, ...piece, lane };
    });
}

/** Whether a span lies in a window; one of no length does where it begins. */
function touches({ start, end }: Span<unknown>, from: number, until: number): boolean {
  return start < until && (end > from || (end === start && start >= from));
}

function minutes(ms: number): number {
  return Math.min(DAY_MINUTES, Math.max(0, Math.round(ms / MINUTE_MS)));
}
