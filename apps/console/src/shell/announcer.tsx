import { useSyncExternalStore } from 'react';

let announced = '';
let isOdd = false;
const listeners = new Set<() => void>();

/** Announces a text to screen readers, after the current announcement (WCAG 2.2, 4.1.3). */
export function announce(text: string): void {
  // The same text twice in a row is no DOM change and would not be announced.
  isOdd = !isOdd;
  announced = isOdd ? text : `${text}\u00a0`;
  for (const listener of listeners) listener();
}

/** The live region of announcements. Rendered once per page. */
export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => announced,
  );
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
