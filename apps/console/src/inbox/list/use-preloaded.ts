import { useEffect, useRef } from 'react';
import { OPEN_DELAY_MS } from '../search/use-debounced.ts';
import { preloadTicket } from './preload-ticket.ts';
import type { TicketPages } from './ticket-pages.ts';

/**
 * Fetches the tickets around the open one, once it stays open: two in the direction of travel, so that the next one is there also if the
 * reader is faster than the line, and the one before.
 */
export function usePreloadedNeighbours(pages: TicketPages, openId: string | undefined): void {
  const lastPosition = useRef(-1);
  useEffect(() => {
    if (openId === undefined) return;
    const timer = setTimeout(() => {
      const position = pages.positionOf(openId);
      if (position < 0) return;
      const direction = position < lastPosition.current ? -1 : 1;
      lastPosition.current = position;
      for (const near of [1, 2, -1]) preloadTicket(pages.idAt(position + near * direction));
    }, OPEN_DELAY_MS);
    return () => clearTimeout(timer);
  }, [pages, openId]);
}

/** Fetches the ticket that the first key opens, once its row stays the first in view. */
export function usePreloaded(ticket: string | undefined): void {
  useEffect(() => {
    const timer = setTimeout(() => preloadTicket(ticket), OPEN_DELAY_MS);
    return () => clearTimeout(timer);
  }, [ticket]);
}
