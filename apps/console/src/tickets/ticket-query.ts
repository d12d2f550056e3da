import type { Ticket, TicketWithCan } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { queryClient, trpc } from '../api.ts';
import { isEnded } from './ticket-labels.ts';

const ticketQuery = (ticketId: string) => trpc.tickets.get.queryOptions({ ticket: ticketId });

/** Under this key stand the changes to a ticket that the service has not confirmed yet. */
export const changeKey = (ticketId: string) => ['change ticket', ticketId];

export function useTicketQuery(ticketId: string) {
  return useQuery(ticketQuery(ticketId));
}

/**
 * Shows a ticket as the service says that it now is; not while changes to it are under way, whose last answer shows it whole.
 * What can be done with it ends with it, which is final.
 */
export function showTicket(ticket: Ticket): void {
  if (queryClient.isMutating({ mutationKey: changeKey(ticket.id) }) > 1) return;
  queryClient.setQueryData(ticketQuery(ticket.id).queryKey, (shown) => {
    if (!shown) return undefined;
    const can = isEnded(ticket.status) ? { ...shown.can, ai: false, reply: false } : shown.can;
    return { ...ticket, can };
  });
}

/** Shows a change before the service has confirmed it; returns what takes it back. */
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
