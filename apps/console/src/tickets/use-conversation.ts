import { asFirmdeskError } from '@firmdesk/client';
import type { TicketMessage, TicketStreamEvent } from '@firmdesk/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useReducer } from 'react';
import { client, connection, queryClient, trpc } from '../api.ts';
import { isSignedOut } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';
import { emptyConversation, messagesIn, withEvent, withMessages } from './conversation-state.ts';
import { showTicket } from './ticket-query.ts';

const PAGE = 50;

const messagesKey = (ticketId: string) => [
  ...trpc.tickets.messages.queryKey({ ticket: ticketId }),
  { pages: PAGE },
];

export interface Conversation {
  /** Oldest first. */
  messages: TicketMessage[];
  isLoading: boolean;
  error: unknown;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  loadOlder(): void;
  /** Reads the newest anew, for when the stream may lag behind. Returns the conversation as it then is. */
  reload(): Promise<TicketMessage[]>;
  /** Shows a message that the service has just taken. */
  add(message: TicketMessage): void;
}

/** A ticket's conversation: its pages, newest first, and all that happens on it from when it is opened. */
export function useConversation(ticketId: string, onEvent: (event: TicketStreamEvent) => void): Conversation {
  const [live, tell] = useReducer(withEvent, emptyConversation);
  const pages = useInfiniteQuery({
    queryKey: messagesKey(ticketId),
    queryFn: ({ pageParam, signal }) =>
      client.tickets.messages.query(
        { ticket: ticketId, limit: PAGE, ...(pageParam && { starting_after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  });
  const messages = useMemo(
    () => messagesIn((pages.data?.pages ?? []).map(({ data }) => data).reduce(withMessages, live)),
    [pages.data, live],
  );

  const heard = useEffectEvent((event: TicketStreamEvent) => {
    tell(event);
    if (event.type === 'ticket.updated') showTicket(event.ticket);
    if (event.type === 'resync') void refetchTicket(ticketId);
    onEvent(event);
  });
  useEffect(() => {
    const following = client.tickets.stream.subscribe(
      { ticket: ticketId },
      {
        // What was read before the stream began may lack what happened in between.
        onStarted: () => void refetchTicket(ticketId),
        onData: ({ data }) => heard(data),
        onError(error) {
          // The page itself says that the ticket is not there, or leaves for the sign-in.
          if (asFirmdeskError(error).code === 'resource_not_found' || isSignedOut(error)) return;
          reportError(error, 'This ticket no longer follows what happens');
        },
      },
    );
    return () => following.unsubscribe();
  }, [ticketId]);

  return {
    messages,
    isLoading: pages.isPending,
    error: pages.data ? null : pages.error,
    hasOlder: pages.hasNextPage,
    isLoadingOlder: pages.isFetchingNextPage,
    loadOlder: () => void (pages.isFetching || pages.fetchNextPage()),
    async reload() {
      const { data } = await pages.refetch();
      return messagesIn((data?.pages ?? []).map((page) => page.data).reduce(withMessages, live));
    },
    add(message) {
      tell({ type: 'message.created', message });
      // What it changes about the ticket is told by the stream, when there is one.
      if (connection.state.status !== 'open') void refetchTicket(ticketId);
    },
  };
}

/** Reads ticket and conversation again, after what is being read by now. */
async function refetchTicket(ticketId: string): Promise<void> {
  const queryKey = messagesKey(ticketId);
  const isUnderWay = queryClient.isFetching({ queryKey }) > 0;
  if (isUnderWay) await queryClient.refetchQueries({ queryKey }, { cancelRefetch: false });
  await Promise.all([
    queryClient.invalidateQueries({ queryKey }),
    queryClient.invalidateQueries(trpc.tickets.get.queryFilter({ ticket: ticketId })),
  ]);
}
