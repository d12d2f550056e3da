import type { Ticket, TicketWithCan } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { queryClient, trpc } from '../api.ts';
import { isEnded } from './ticket-labels.ts';

const ticketQuery = (ticketId: string) => trpc.tickets.get.queryOptions({ ticket: ticketId });

/** The mutation key of changes to a ticket that are not yet confirmed. */
export const changeKey = (ticketId: string) => ['change ticket', ticketId];

export function useTicketQuery(ticketId: string) {
  return useQuery(ticketQuery(ticketId));
}

/**
 * Updates a ticket in the cache. Does nothing while several changes are pending: the response to the last one has all of them.
 * On a resolved or closed ticket, replies and the assistant are no longer possible.
 */
export function showTicket(ticket: Ticket): void {
  if (queryClient.isMutating({ mutationKey: changeKey(ticket.id) }) > 1) return;
  queryClient.setQueryData(ticketQuery(ticket.id).queryKey, (shown) => {
    if (!shown) return undefined;
    const can = isEnded(ticket.status) ? { ...shown.can, ai: false, reply: false } : shown.can;
    return { ...ticket, can };
  });
}

/** Applies an optimistic change and returns a function that rolls it back. */
export function showChange(ticketId: string, change: Partial<Ticket>): () => void {
  const { queryKey } = ticketQuery(ticketId);
  const before = queryClient.getQueryData(queryKey);
  if (!before) return () => {};
  const show = (fields: Partial<TicketWithCan>) =>
    queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, ...fields });
  show(change);
  return () => {
    const changed = Object.keys(change) as (keyof Ticket)[];
    show(Object.fromEntries(changed.map((field) => [field, before[field]])));
  };
}
