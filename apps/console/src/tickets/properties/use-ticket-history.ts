import type { TicketHistoryEntry } from '@firmdesk/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { storedValue, useStoredValue } from '../../stored-value.ts';

const HISTORY_PAGE = 50;

/** Whether conversations also show the changes of the ticket, without those that messages cause: the messages tell them. */
export const showsChanges = storedValue('show-changes', (stored) => stored !== false);

export interface TicketHistory {
  /** Oldest first. Empty while only messages are shown. */
  entries: readonly TicketHistoryEntry[];
  /** Whether the service has entries before these. */
  hasOlder: boolean;
  loadOlder(): void;
}

/**
 * Loads the changes of a ticket beside its messages, as far back as these are loaded.
 *
 * @param since the time of the oldest loaded message; null if all messages are loaded, undefined while they are loading
 */
export function useTicketHistory(ticketId: string, since: string | null | undefined): TicketHistory {
  const isShown = useStoredValue(showsChanges);
  const pages = useInfiniteQuery({
    queryKey: historyKey(ticketId),
    queryFn: ({ pageParam, signal }) =>
      client.tickets.history.query(
        {
          ticket: ticketId,
          limit: HISTORY_PAGE,
          include_automatic: false,
          ...(pageParam && { starting_after: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    enabled: isShown && since !== undefined,
  });
  const { data, hasNextPage, isFetching, fetchNextPage } = pages;
  const loaded = useMemo(() => data?.pages.flatMap((page) => page.data).reverse() ?? [], [data]);
  const entries = useMemo(
    () => (isShown ? loaded.filter(({ created_at }) => !since || created_at >= since) : []),
    [isShown, loaded, since],
  );
  const oldest = loaded[0]?.created_at;
  const isMissing = isShown && hasNextPage && Boolean(since && oldest && oldest >= since);
  useEffect(() => {
    if (isMissing && !isFetching) void fetchNextPage();
  }, [isMissing, isFetching, fetchNextPage]);
  return {
    entries,
    hasOlder: isShown && hasNextPage && since === null,
    loadOlder: () => void (isFetching || fetchNextPage()),
  };
}

function historyKey(ticketId: string) {
  return [...trpc.tickets.history.queryKey({ ticket: ticketId }), { pages: HISTORY_PAGE }];
}

/** Loads the changes of a ticket again, if they are shown. */
export function refetchHistory(ticketId: string): void {
  void queryClient.invalidateQueries({ queryKey: historyKey(ticketId) });
}
