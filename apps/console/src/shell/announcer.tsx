import { useSyncExternalStore } from 'react';

/** For how long a text stays at least: of two changes at once, a screen reader would miss the first. */
const MIN_SHOWN_MS = 150;
/** Earlier texts that still wait are dropped: while a key is held, only the latest matter. */
const MAX_WAITING = 3;

let announced = '';
let isOdd = false;
let isShowing = false;
const waiting: string[] = [];
const listeners = new Set<() => void>();

/** Announces a text to screen readers, after the current announcement (WCAG 2.2, 4.1.3). */
export function announce(text: string): void {
  waiting.push(text);
  if (waiting.length > MAX_WAITING) waiting.shift();
  if (!isShowing) showNext();
}

function showNext(): void {
  const text = waiting.shift();
  isShowing = text !== undefined;
  if (text === undefined) return;
  // The same text twice in a row is no DOM change and would not be announced.
  isOdd = !isOdd;
  announced = isOdd ? text : `${text}\u00a0`;
  for (const listener of listeners) listener();
  setTimeout(showNext, MIN_SHOWN_MS);
}

/** Returns the text that is announced. */
export function announcement(): string {
  return announced;
}

/** Calls a function at each announcement. Returns a function that ends this. */
export function onAnnouncement(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The live region of announcements. Rendered once per page. */
export function Announcer() {
  const text = useSyncExternalStore(onAnnouncement, announcement);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
