import { useLayoutEffect } from 'react';

/** The tickets whose pages are mounted, each with the ticket that is shown: another one if it was merged into that. */
const shownFor = new Map<string, string>();

/**
 * Returns whether the page of a ticket is shown and its shortcuts are registered, or it could not be loaded. A merged ticket is ready
 * as soon as the one that is shown in its place is.
 */
export function isTicketReady(ticketId: string): boolean {
  const shown = shownFor.get(ticketId);
  return shown !== undefined && (shown === ticketId || isTicketReady(shown));
}

/**
 * Marks a ticket as ready while the component is mounted. Call it after the shortcuts are registered.
 *
 * @param shown the ticket that is shown in its place, if it was merged
 */
export function useReadyTicket(ticketId: string, shown = ticketId): void {
  // As early as the shortcuts, and after them: a key that waits for the ticket acts on what is painted with it.
  useLayoutEffect(() => {
    shownFor.set(ticketId, shown);
    return () => {
      shownFor.delete(ticketId);
    };
  }, [ticketId, shown]);
}
