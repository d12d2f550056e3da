import { useEffect, useEffectEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { TicketPages } from './ticket-pages.ts';

/** Loads the rows up to a position, and goes there. Going to another row stops it. */
export function useRowsAhead(pages: TicketPages, goTo: (position: number) => void) {
  const running = useRef<{ position: number; run: AbortController }>(null);
  const stop = () => {
    running.current?.run.abort();
    running.current = null;
  };
  const goToNow = useEffectEvent(goTo);
  useEffect(() => stop, []);
  return {
    stop,
    /** The position that is being loaded. */
    position: () => running.current?.position,
    load(position: number) {
      const run = new AbortController();
      running.current = { position, run };
      void pages.loadThrough(position, run.signal).then(() => {
        // Drawn at once, so that the next key steps on from there.
        if (!run.signal.aborted && pages.error === null)
          flushSync(() => goToNow(Math.min(position, pages.count - 1)));
      });
    },
  };
}
