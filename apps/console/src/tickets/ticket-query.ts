import type { Ticket } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryClient, trpc } from '../api.ts';
import { isEnded } from './properties/ticket-labels.ts';
import { useUnsavedOf, withUnsaved } from './sending/unsaved-ticket.ts';

const ticketQuery = (ticketId: string) => trpc.tickets.get.queryOptions({ ticket: ticketId });

/** The ticket, with the user's unconfirmed changes. */
export function useTicketQuery(ticketId: string) {
  const query = useQuery(ticketQuery(ticketId));
  const entries = useUnsavedOf(ticketId);
  const { data } = query;
  const ticket = useMemo(() => data && withUnsaved(data, entries), [data, entries]);
  return { ...query, data: ticket };
}

/** Updates a ticket in the cache. On a resolved or closed ticket, replies and the assistant are no longer possible. */
export function showTicket(ticket: Ticket): void {
  const { queryKey } = ticketQuery(ticket.id);
  // It may have been merged, which only a fetch tells: the keys that follow its opening wait for that.
  if (ticket.status === 'closed' && queryClient.getQueryData(queryKey)?.status !== 'closed')
    queryClient.removeQueries({ queryKey, type: 'inactive' });
  queryClient.setQueryData(queryKey, (shown) => {
    if (!shown) return undefined;
    const { can } = shown;
    if (isEnded(ticket.status))
      return { ...shown, ...ticket, can: { ...can, ai: false, reply: false, auto_reply: false } };
    // Once the team has replied, the assistant stays off.
    return {
      ...shown,
      ...ticket,
      can: { ...can, auto_reply: can.auto_reply && ticket.last_from !== 'admin' },
    };
  });
  // A response that is under way may be older, and would replace this one.
  void queryClient.refetchQueries({ queryKey, fetchStatus: 'fetching' });
}

/** Shows whether the account follows a ticket. A response that is under way may be older. */
export async function showFollowing(ticketId: string, following: boolean): Promise<void> {
  await queryClient.cancelQueries(trpc.tickets.get.queryFilter({ ticket: ticketId }));
  queryClient.setQueryData(ticketQuery(ticketId).queryKey, (shown) => shown && { ...shown, following });
}

/** Loads the ticket again, with what the user can do with it. */
export function refetchTicket(ticketId: string): Promise<void> {
  return queryClient.invalidateQueries(trpc.tickets.get.queryFilter({ ticket: ticketId }));
}

/** At most this many tickets and conversations that are not shown stay in memory, the ones that were loaded last. */
const MAX_CACHED = 100;

/**
 * Drops tickets and conversations from the cache that were not shown for long, in a task of its own: a fetch that was just cancelled
 * ends in the current one, and would keep its dropped query in memory for minutes. Returns a function that cancels it.
 */
export function pruneTicketCacheSoon(): () => void {
  const timer = setTimeout(pruneTicketCache);
  return () => clearTimeout(timer);
}

function pruneTicketCache(): void {
  const cache = queryClient.getQueryCache();
  const { get, messages, history, unsentReplies } = trpc.tickets;
  const paths = [get, messages, history, unsentReplies].map((each) => each.pathKey());
  const unused = paths.flatMap((queryKey) =>
    cache.findAll({ queryKey, type: 'inactive', fetchStatus: 'idle' }),
  );
  unused.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  for (const query of unused.slice(MAX_CACHED)) cache.remove(query);
}
