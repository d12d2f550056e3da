import { useEffect, useEffectEvent, useRef } from 'react';

/** The delay before a ticket is opened or prefetched, so that a held key or moving pointer skips the rows it passes. */
export const OPEN_DELAY_MS = 120;

/**
 * Debounces a function: the first call runs at once, further calls wait until none has come for a while. A pending call is dropped on unmount.
 * `flush` runs it at once.
 */
export function useDebounced<Value>(run: (value: Value) => unknown) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<Value>(undefined);
  const lastCall = useRef(Number.NEGATIVE_INFINITY);
  const cancel = () => {
    clearTimeout(timer.current);
    waiting.current = undefined;
  };
  const flush = useEffectEvent(() => {
    const value = waiting.current;
    cancel();
    if (value !== undefined) run(value);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    soon(value: Value) {
      cancel();
      waiting.current = value;
      const now = performance.now();
      const isFirst = now - lastCall.current > OPEN_DELAY_MS;
      lastCall.current = now;
      if (isFirst) flush();
      else timer.current = setTimeout(() => flush(), OPEN_DELAY_MS);
    },
    flush: () => flush(),
    cancel,
  };
}
