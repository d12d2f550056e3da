import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react';

const CONTROL = 'button:not(:disabled), a[href], [role=switch], input, summary';

/**
 * The focus in a table, as the ARIA pattern of a grid: Tab reaches one cell, arrow keys go from cell to cell, Home and End to the ends of a
 * row, with Ctrl to those of the table. In a cell with a control, the control has the focus.
 */
export function useTableFocus() {
  const table = useRef<HTMLTableElement>(null);
  /** The stop that has the focus, or had it last. */
  const last = useRef<HTMLElement | null>(null);
  const rows = () =>
    [...(table.current?.rows ?? [])].map(({ cells }) =>
      // Columns that are not shown on a small screen are no stops.
      [...cells].filter(({ offsetParent }) => offsetParent !== null).map(stopOf),
    );
  useLayoutEffect(() => {
    const stops = rows().flat();
    const first = stops.find((stop) => stop.closest('tbody') && stop.matches(CONTROL)) ?? stops[0];
    const current = last.current && stops.includes(last.current) ? last.current : first;
    for (const stop of stops) stop.tabIndex = stop === current ? 0 : -1;
  });
  return {
    ref: table,
    role: 'grid',
    onFocus({ target }: FocusEvent) {
      const cell = table.current?.contains(target) && target.closest<HTMLElement>('td, th');
      if (!cell) return;
      if (last.current) last.current.tabIndex = -1;
      else for (const stop of rows().flat()) stop.tabIndex = -1;
      last.current = stopOf(cell);
      last.current.tabIndex = 0;
    },
    // Before the control in the cell: a menu opens by Enter or Space, not by an arrow key.
    onKeyDownCapture(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      const cell = target instanceof Element && table.current?.contains(target) && target.closest('td, th');
      if (!cell || metaKey || altKey || shiftKey) return;
      // An open list of choices keeps its keys, and a text field those that move in its text.
      if (target.matches('[role=combobox][aria-expanded=true]')) return;
      if (target.matches('input') && key !== 'ArrowUp' && key !== 'ArrowDown') return;
      const all = rows();
      const row = all.findIndex((stops) => stops.some((stop) => cell.contains(stop)));
      const column = all[row]?.findIndex((stop) => cell.contains(stop)) ?? 0;
      const next = {
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        Home: [ctrlKey ? 0 : row, 0],
        End: [ctrlKey ? all.length - 1 : row, -1],
      }[key];
      if (!next || (ctrlKey && key !== 'Home' && key !== 'End')) return;
      event.preventDefault();
      event.stopPropagation();
      const [nextRow, nextColumn] = next as [number, number];
      const stop = nextRow < 0 ? undefined : all[nextRow]?.at(nextColumn);
      if (nextColumn < 0 && key === 'ArrowLeft') return;
      stop?.focus();
      stop?.scrollIntoView({ block: 'nearest' });
    },
  } as const;
}

function stopOf(cell: HTMLElement): HTMLElement {
  return cell.querySelector<HTMLElement>(CONTROL) ?? cell;
}
