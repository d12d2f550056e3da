import type { Ticket } from '@firmdesk/contract';
import { useEffect } from 'react';
import { client, connection, queryClient, trpc } from '../api.ts';
import { showTicket } from '../tickets/ticket-query.ts';
import { patchLists, refreshLists, retryLists } from './ticket-lists.ts';

/** The service caches its counts for this long. */
const COUNTS_REFRESH_MS = 5_000;

/** The last event id. Survives unmount, so that re-entering the inbox resumes from here. */
let lastEventId: string | undefined;

/** Keeps lists and tickets up to date while the inbox is mounted. */
export function useLiveInbox(): void {
  useEffect(() => {
    const recount = createRecount();
    const subscription = client.tickets.live.subscribe(lastEventId === undefined ? {} : { lastEventId }, {
      onStarted() {
        // Without an event to resume from, changes before the subscription started were missed.
        if (lastEventId === undefined) refreshLists();
      },
      onData({ id, data }) {
        lastEventId = id;
        if (data.type === 'resync') refreshLists();
        else {
          patchLists(data.ticket);
          showTicket(data.ticket);
        }
        recount.soon();
      },
    });
    const stopCopying = copyEditsToLists();
    const stopWatching = connection.subscribe(() => {
      if (connection.state.status === 'open') retryLists();
    });
    return () => {
      subscription.unsubscribe();
      stopCopying();
      stopWatching();
      recount.stop();
    };
  }, []);
}

/** Copies optimistic changes of the open ticket, and their rollback, into the lists. */
function copyEditsToLists(): () => void {
  const [path] = trpc.tickets.get.queryKey({ ticket: '' });
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return;
    const [itsPath] = event.query.queryKey as readonly unknown[];
    if (String(itsPath) === String(path) && event.query.state.data)
      patchLists(event.query.state.data as Ticket);
  });
}

/** Refetches the counts while tickets change, and once more after the service's cached counts have expired. */
function createRecount() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changedAt = 0;
  const again = () => {
    const ranAt = Date.now();
    void queryClient.invalidateQueries({ queryKey: trpc.tickets.counts.queryKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.tickets.views.counts.queryKey() });
    timer = ranAt - changedAt < COUNTS_REFRESH_MS ? setTimeout(again, COUNTS_REFRESH_MS) : undefined;
  };
  return {
    soon() {
      changedAt = Date.now();
      timer ??= setTimeout(again, COUNTS_REFRESH_MS / 10);
    },
    stop: () => clearTimeout(timer),
  };
}
