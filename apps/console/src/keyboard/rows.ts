/**
 * Moving through a list by keys: the focus itself goes from row to row, so that Enter opens the row and screen readers
 * follow. A row's own element, which takes the focus, carries `data-row` with the row's id.
 */
export function focusRow(list: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const at = rows.findIndex((row) => row === document.activeElement || row === focusedIn(list));
  const next = at < 0 ? rows[by > 0 ? 0 : rows.length - 1] : rows[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** The id of the row that has the focus, on itself or on something beside it in the same item. */
export function focusedRow(list: HTMLElement | null): string | null {
  return focusedIn(list)?.dataset['row'] ?? null;
}

function focusedIn(list: HTMLElement | null): HTMLElement | null {
  const active = document.activeElement;
  if (!active || !list?.contains(active)) return null;
  return active.closest('li, tr')?.querySelector<HTMLElement>('[data-row]') ?? null;
}
