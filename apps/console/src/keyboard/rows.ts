/**
 * Moves the focus to the next or previous row of a list, so that Enter opens it and screen readers follow. The focusable
 * element of a row has its id in `data-row`.
 */
export function focusRow(list: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const at = rows.findIndex((row) => row === document.activeElement || row === focusedIn(list));
  const next = at < 0 ? rows[by > 0 ? 0 : rows.length - 1] : rows[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Returns the id of the row whose item contains the focus. */
export function focusedRow(list: HTMLElement | null): string | null {
  return focusedIn(list)?.dataset['row'] ?? null;
}

function focusedIn(list: HTMLElement | null): HTMLElement | null {
  const active = document.activeElement;
  if (!active || !list?.contains(active)) return null;
  return active.closest('li, tr')?.querySelector<HTMLElement>('[data-row]') ?? null;
}
