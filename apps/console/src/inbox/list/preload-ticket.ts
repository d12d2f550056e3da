import { queryClient, trpc } from '../../api.ts';
import { messagesQuery } from '../../tickets/conversation/conversation-query.ts';

/** Fetches a ticket and its messages before it is opened. */
export function preloadTicket(ticket: string | undefined): void {
  if (ticket === undefined) return;
  void queryClient.prefetchQuery(trpc.tickets.get.queryOptions({ ticket }));
  // In a later batch of calls, so that the ticket does not wait for its messages.
  setTimeout(() => void queryClient.prefetchInfiniteQuery(messagesQuery(ticket)));
}
