/*
 * Times are wall-clock times in ms (see `wall-clock.ts`).
 */

/** Times are dragged in steps of a quarter of an hour. */
const STEP_MS = 15 * 60_000;

/** What began to be dragged. */
export type DragOrigin =
  /** A new event, from where the pointer went down. */
  | { kind: 'create'; at: number }
  /** An event, held at a time within it. */
  | { kind: 'move'; at: number; start: number; end: number }
  /** The end of an event. */
  | { kind: 'resize'; start: number };

export interface DraggedTime {
  start: number;
  end: number;
}

/** Returns the time of a dragged event while the pointer is at a time. */
export function draggedTime(origin: DragOrigin, at: number): DraggedTime {
  switch (origin.kind) {
    case 'create': {
      const start = floor(Math.min(origin.at, at));
      return { start, end: Math.max(start + STEP_MS, ceil(Math.max(origin.at, at))) };
    }
    case 'move': {
      const start = Math.round((at - (origin.at - origin.start)) / STEP_MS) * STEP_MS;
      return { start, end: start + origin.end - origin.start };
    }
    case 'resize':
      return { start: origin.start, end: Math.max(floor(origin.start) + STEP_MS, ceil(at)) };
  }
}

function floor(time: number): number {
  return Math.floor(time / STEP_MS) * STEP_MS;
}

function ceil(time: number): number {
  return Math.ceil(time / STEP_MS) * STEP_MS;
}
