import { asFirmdeskError } from '@firmdesk/client';
import type { TicketMessage, TicketStreamEvent } from '@firmdesk/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useReducer } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { isSignedOut } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { refetchHistory } from '../properties/use-ticket-history.ts';
import { returnOvertaken } from '../sending/delayed-sends.ts';
import { showTicket } from '../ticket-query.ts';
import { messagesKey, messagesQuery } from './conversation-query.ts';
import { emptyConversation, messagesIn, withEvent, withMessages } from './conversation-state.ts';

export interface Conversation {
  /** Oldest first. */
  messages: TicketMessage[];
  isLoading: boolean;
  error: unknown;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  loadOlder(): void;
  /** Loads the messages again after a failure. */
  reload(): void;
}

/** Loads a ticket's messages page by page and follows its stream. */
export function useConversation(ticketId: string, onEvent: (event: TicketStreamEvent) => void): Conversation {
  const [live, dispatch] = useReducer(withEvent, emptyConversation);
  const pages = useInfiniteQuery(messagesQuery(ticketId));
  const messages = useMemo(
    () => messagesIn((pages.data?.pages ?? []).map(({ data }) => data).reduce(withMessages, live)),
    [pages.data, live],
  );

  const handleEvent = useEffectEvent((event: TicketStreamEvent) => {
    dispatch(event);
    if (event.type === 'ticket.updated') {
      showTicket(event.ticket);
      refetchHistory(ticketId);
    }
    if (event.type === 'resync') {
      void refetchTicket(ticketId).then((isFetched) => isFetched && dispatch({ type: 'refetched' }));
      // A delayed send may be the team's draft now.
      void returnOvertaken(ticketId);
    }
    onEvent(event);
  });
  useEffect(() => {
    const following = client.tickets.stream.subscribe(
      { ticket: ticketId },
      {
        // Data loaded before the stream started may lack events in between.
        onStarted: () => void refetchTicket(ticketId),
        onData: ({ data }) => handleEvent(data),
        onError(error) {
          // The page handles a missing ticket and an ended session itself.
          if (asFirmdeskError(error).code === 'resource_not_found' || isSignedOut(error)) return;
          reportError(error, 'Live updates of this ticket stopped');
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
    reload: () => void pages.refetch(),
  };
}

/**
 * Refetches the ticket, its changes, its messages and its unsent replies, after a fetch that is already running. Returns whether the messages
 * were fetched.
 */
async function refetchTicket(ticketId: string): Promise<boolean> {
  refetchHistory(ticketId);
  const queryKey = messagesKey(ticketId);
  const isUnderWay = queryClient.isFetching({ queryKey }) > 0;
  if (isUnderWay) await queryClient.refetchQueries({ queryKey }, { cancelRefetch: false });
  await Promise.all([
    queryClient.invalidateQueries({ queryKey }),
    queryClient.invalidateQueries(trpc.tickets.get.queryFilter({ ticket: ticketId })),
    queryClient.invalidateQueries(trpc.tickets.unsentReplies.queryFilter({ ticket: ticketId })),
  ]);
  return queryClient.getQueryState(queryKey)?.isInvalidated === false;
}
