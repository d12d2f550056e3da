import { queryClient, trpc } from '../api.ts';

/** Fetches a ticket before it is opened. */
export function preloadTicket(ticket: string | undefined): void {
  if (ticket !== undefined) void queryClient.prefetchQuery(trpc.tickets.get.queryOptions({ ticket }));
}
