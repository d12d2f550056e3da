import { useLayoutEffect } from 'react';

const ready = new Set<string>();

/**
 * Returns whether the page of a ticket is shown and its shortcuts are registered, or it could not be loaded. A merged ticket is ready
 * together with the one that is shown in its place.
 */
export function isTicketReady(ticketId: string): boolean {
  return ready.has(ticketId);
}

/** Marks a ticket as ready while the component is mounted. Call it after the shortcuts are registered. */
export function useReadyTicket(ticketId: string): void {
  // As early as the shortcuts, and after them: a key that waits for the ticket acts on what is painted with it.
  useLayoutEffect(() => {
    ready.add(ticketId);
    return () => {
      ready.delete(ticketId);
    };
  }, [ticketId]);
}
