import type { TicketMessage } from '@firmdesk/contract';
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import { client, queryClient, trpc } from '../../api.ts';

type MessagesPage = Awaited<ReturnType<typeof client.tickets.messages.query>>;

const MESSAGES_PAGE = 50;

export const messagesKey = (ticketId: string) => [
  ...trpc.tickets.messages.queryKey({ ticket: ticketId }),
  { pages: MESSAGES_PAGE },
];

/** The messages of a ticket, page by page, newest first. */
export const messagesQuery = (ticketId: string) =>
  infiniteQueryOptions({
    queryKey: messagesKey(ticketId),
    queryFn: ({ pageParam, signal }) =>
      client.tickets.messages.query(
        { ticket: ticketId, limit: MESSAGES_PAGE, ...(pageParam && { starting_after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  });

/** Adds a message that the service has just stored to the loaded conversation, also if its ticket is not shown. */
export async function addToConversation(message: TicketMessage): Promise<void> {
  const queryKey = messagesKey(message.ticket_id);
  // A response that is under way may be older than the message.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<InfiniteData<MessagesPage>>(queryKey, (shown) => {
    const [newest, ...older] = shown?.pages ?? [];
    if (!shown || !newest) return undefined;
    return { ...shown, pages: [{ ...newest, data: [message, ...newest.data] }, ...older] };
  });
  void queryClient.invalidateQueries({ queryKey });
  void queryClient.invalidateQueries(trpc.tickets.get.queryFilter({ ticket: message.ticket_id }));
}
