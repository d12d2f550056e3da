import { useSyncExternalStore } from 'react';

let said = '';
let isOdd = false;
const listeners = new Set<() => void>();

/** Has a screen reader say something, once it has finished what it says (WCAG 2.2, 4.1.3). */
export function announce(text: string): void {
  // The same words twice in a row would not be a change, and not be spoken.
  isOdd = !isOdd;
  said = isOdd ? text : `${text}\u00a0`;
  for (const listener of listeners) listener();
}

/** Where announcements are read from; one on the page. */
export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => said,
  );
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
