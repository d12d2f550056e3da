import { useMemo, useRef } from 'react';

export const OVERLAY = '[role=menu], [role=dialog], [role=alertdialog]';
const FIELD =
  'input:not([type=hidden]):not([type=checkbox]):not(:disabled), textarea:not(:disabled):not([readonly]), [role=combobox]:not(:disabled)';

/** The element outside of menus and dialogs that had the focus last. */
let lastOutside: Element | null = null;

addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest(OVERLAY)) lastOutside = target;
});

/**
 * The focus of a dialog or popover: on opening it goes to the element with `data-initial-focus`, otherwise to the first field; on
 * closing it returns to where it was, unless another element has taken it. A dialog that a menu opened returns it to the element
 * of the menu.
 */
export function useOverlayFocus() {
  const before = useRef<Element | null>(null);
  return useMemo(
    () => ({
      onOpenAutoFocus(event: Event) {
        const active = document.activeElement;
        const isFromMenu = active === document.body || active?.closest('[role=menu]') !== null;
        before.current = isFromMenu ? null : active;
        const content = event.target as HTMLElement;
        const first =
          content.querySelector<HTMLElement>('[data-initial-focus]') ??
          content.querySelector<HTMLElement>(FIELD);
        if (!first) return;
        event.preventDefault();
        first.focus();
        if (first instanceof HTMLInputElement) first.select();
      },
      onCloseAutoFocus(event: Event) {
        event.preventDefault();
        if (isFocusTaken()) return;
        const target = before.current?.isConnected ? before.current : lastOutside;
        if (target instanceof HTMLElement) target.focus({ preventScroll: true });
      },
    }),
    [],
  );
}

/**
 * The `onCloseAutoFocus` of a menu: its trigger does not take the focus from an element that has taken it since. If that is in a
 * dialog, the trigger gets the focus when the dialog closes.
 */
export function keepTakenFocus(event: Event): void {
  if (!isFocusTaken()) return;
  event.preventDefault();
  const trigger = (event.target as Element).getAttribute('aria-labelledby');
  if (document.activeElement?.closest(OVERLAY) && trigger) lastOutside = document.getElementById(trigger);
}

/** Gives the focus to an element if nothing has it: now, or when the dialog that has it closes. */
export function giveFocus(element: HTMLElement): void {
  if (!isFocusTaken()) element.focus();
  else if (document.activeElement?.closest(OVERLAY)) lastOutside = element;
}

function isFocusTaken(): boolean {
  const active = document.activeElement;
  return active !== null && active !== document.body;
}
