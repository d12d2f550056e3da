import { useLayoutEffect } from 'react';

let ready: string | null = null;

/** Returns the ticket whose page is shown and whose shortcuts are registered, or that could not be loaded. */
export function readyTicket(): string | null {
  return ready;
}

/** Marks a ticket as ready while the component is mounted. Call it after the shortcuts are registered. */
export function useReadyTicket(ticketId: string): void {
  // As early as the shortcuts, and after them: a key that waits for the ticket acts on what is painted with it.
  useLayoutEffect(() => {
    ready = ticketId;
    return () => {
      if (ready === ticketId) ready = null;
    };
  }, [ticketId]);
}
