import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ShownEvent } from '../event/unsaved-events.ts';
import { DAY_MS, msOf } from './days.ts';
import { type DraggedTime, type DragOrigin, draggedTime } from './drag.ts';
import type { Span } from './layout.ts';

/** A shorter way of the pointer is a click. */
const MIN_PX = 4;
/** The part of an event at its lower edge that changes its end. */
const EDGE_PX = 6;

/** What is being dragged. `event` is null for a new one. */
export interface EventDrag extends DraggedTime {
  event: ShownEvent | null;
}

/**
 * Lets the mouse create, move and resize timed events: in `hours`, whose columns have their day in `data-day`, and the events their key in
 * `data-event`. Esc ends it without an effect. By keyboard, the form of an event does the same.
 */
export function useEventDrag(
  hours: RefObject<HTMLElement | null>,
  {
    find,
    mayCreate,
    onDrop,
  }: {
    find(key: string): Span<ShownEvent> | undefined;
    mayCreate: boolean;
    onDrop(drag: EventDrag): void;
  },
) {
  const [drag, setDrag] = useState<EventDrag | null>(null);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const onPointerDown = (down: PointerEvent<HTMLElement>) => {
    const target = down.target as Element;
    if (down.button !== 0 || down.pointerType !== 'mouse' || !hours.current?.contains(target)) return;
    const begun = beginning(hours.current, down, find);
    if (!begun || (begun.event === null && !mayCreate)) return;
    const { event, origin } = begun;
    let now: EventDrag | null = null;
    const move = ({ clientX, clientY }: globalThis.PointerEvent) => {
      if (!now && Math.hypot(clientX - down.clientX, clientY - down.clientY) < MIN_PX) return;
      // A new event stays in the day in which it began.
      const x = origin.kind === 'move' ? clientX : down.clientX;
      now = { event, ...draggedTime(origin, timeAt(hours.current, x, clientY)) };
      setDrag(now);
    };
    const end = () => {
      controller.abort();
      setDrag(null);
    };
    const controller = new AbortController();
    const { signal } = controller;
    stop.current = end;
    addEventListener('pointermove', move, { signal });
    addEventListener('pointercancel', end, { signal });
    addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
    addEventListener(
      'pointerup',
      () => {
        end();
        if (!now) return;
        ignoreClick();
        onDrop(now);
      },
      { signal },
    );
  };
  return { drag, onPointerDown };
}

/** Returns what the pointer begins to drag, or null if that cannot be dragged. */
function beginning(
  hours: HTMLElement,
  { target, clientX, clientY }: PointerEvent<HTMLElement>,
  find: (key: string) => Span<ShownEvent> | undefined,
): { event: ShownEvent | null; origin: DragOrigin } | null {
  const at = timeAt(hours, clientX, clientY);
  const item = (target as Element).closest<HTMLElement>('[data-event]');
  if (!item) return { event: null, origin: { kind: 'create', at } };
  const span = find(item.dataset['event']!);
  if (!span?.event.can_write) return null;
  const { event, start, end } = span;
  const isAtEdge = item.getBoundingClientRect().bottom - clientY <= EDGE_PX;
  return { event, origin: isAtEdge ? { kind: 'resize', start } : { kind: 'move', at, start, end } };
}

/** Returns the wall-clock time at a place, in the nearest day. */
function timeAt(hours: HTMLElement | null, x: number, y: number): number {
  const columns = [...(hours?.querySelectorAll<HTMLElement>('[data-day]') ?? [])];
  const boxes = columns.map((column) => ({ column, box: column.getBoundingClientRect() }));
  const { column, box } = boxes.find(({ box }) => x < box.right) ?? boxes.at(-1)!;
  const share = Math.min(1, Math.max(0, (y - box.top) / box.height));
  return msOf(column.dataset['day']!) + share * DAY_MS;
}

/** The click that follows opens or creates nothing. */
function ignoreClick(): void {
  const ignore = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener('click', ignore, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', ignore, { capture: true }));
}
