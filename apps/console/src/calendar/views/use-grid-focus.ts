import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { type Box, nextBox } from './next-box.ts';

const directions = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
} as const;

/**
 * The focus in a calendar, whose events and links have the attribute `data-grid-item`: all of them are one stop of Tab, and arrow keys go from
 * one to the next in their direction. Beyond the first or last day they show other days, and the focus stays in the calendar.
 */
export function useGridFocus(grid: RefObject<HTMLElement | null>, onLeave: (by: 1 | -1) => void) {
  /** The item that has the focus, or had it last. */
  const last = useRef<HTMLElement | null>(null);
  const hasFocus = useRef(false);
  const enters = useRef<1 | -1>(1);
  const isEntering = useRef(false);
  const items = () => [...(grid.current?.querySelectorAll<HTMLElement>('[data-grid-item]') ?? [])];

  useLayoutEffect(() => {
    const all = items();
    const isLost = hasFocus.current && document.activeElement === document.body;
    // The events of other days may still have to be loaded: until then the calendar has the focus.
    if (isLost || (isEntering.current && document.activeElement === grid.current)) {
      const item = all.at(enters.current === 1 ? 0 : -1);
      isEntering.current = !item;
      (item ?? grid.current)?.focus({ preventScroll: true });
    }
    const stop = all.find((item) => item === last.current) ?? all[0];
    for (const item of all) item.tabIndex = item === stop ? 0 : -1;
  });

  const isInside = (target: EventTarget) => grid.current?.contains(target as Node) === true;
  return {
    onFocus({ target }: FocusEvent) {
      // The details of an event are its children for React only.
      if (!isInside(target)) return;
      hasFocus.current = true;
      const item = (target as Element).closest<HTMLElement>('[data-grid-item]');
      if (!item) return;
      if (last.current) last.current.tabIndex = -1;
      last.current = item;
      item.tabIndex = 0;
    },
    // Not called for an item that is removed.
    onBlur() {
      hasFocus.current = false;
    },
    onKeyDown(event: KeyboardEvent) {
      isEntering.current = false;
      const direction = directions[event.key as keyof typeof directions];
      const { target } = event;
      if (!direction || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
      if (!isInside(target) || !(target as Element).matches('[data-grid-item]')) return;
      event.preventDefault();
      const all = items();
      const at = nextBox(all.map(boxOf), all.indexOf(target as HTMLElement), direction);
      if (at !== null) {
        all[at]!.focus();
        all[at]!.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      } else if (direction === 'left' || direction === 'right') {
        enters.current = direction === 'right' ? 1 : -1;
        onLeave(enters.current);
      }
    },
  };
}

function boxOf(item: HTMLElement): Box {
  return item.getBoundingClientRect();
}
