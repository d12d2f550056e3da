const UPDATE_MS = 30_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;
const listeners = new Set<() => void>();

/** Returns the time, in ms since the epoch, accurate to half a minute while {@link followMinutes} has a listener. */
export function currentMinute(): number {
  return now;
}

/** Calls a listener when the time changes, and returns a function that stops it. One timer serves all listeners. */
export function followMinutes(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    // The time stood still while there was no listener.
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, UPDATE_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}
