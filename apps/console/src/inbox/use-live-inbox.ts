import type { Ticket } from '@firmdesk/contract';
import { useEffect } from 'react';
import { client, connection, queryClient, trpc } from '../api.ts';
import { showTicket } from '../tickets/ticket-query.ts';
import { patchLists, refreshLists, retryLists } from './ticket-lists.ts';

/** The service counts at most once in this time. */
const COUNTED_MS = 5_000;

/** The last event that was seen, also by an inbox that was left: what came since is told when it is entered again. */
let lastEventId: string | undefined;

/** Keeps what is shown of tickets as they are, while the inbox is there. */
export function useLiveInbox(): void {
  useEffect(() => {
    const recount = createRecount();
    const subscription = client.tickets.live.subscribe(lastEventId === undefined ? {} : { lastEventId }, {
      onStarted() {
        // Without an event to go on from, what happened before this moment was told to nobody.
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
    const unfollowEdits = followEdits();
    const unfollowConnection = connection.subscribe(() => {
      if (connection.state.status === 'open') retryLists();
    });
    return () => {
      subscription.unsubscribe();
      unfollowEdits();
      unfollowConnection();
      recount.stop();
    };
  }, []);
}

/** What is done to the open ticket shows in the list at once, before the service tells of it; also when it is undone. */
function followEdits(): () => void {
  const [path] = trpc.tickets.get.queryKey({ ticket: '' });
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return;
    const [itsPath] = event.query.queryKey as readonly unknown[];
    if (String(itsPath) === String(path) && event.query.state.data)
      patchLists(event.query.state.data as Ticket);
  });
}

/** Fetches the counts again while tickets change: seldom, and for a last time when the service must have counted anew. */
function createRecount() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changedAt = 0;
  const again = () => {
    const ranAt = Date.now();
    void queryClient.invalidateQueries({ queryKey: trpc.tickets.counts.queryKey() });
    timer = ranAt - changedAt < COUNTED_MS ? setTimeout(again, COUNTED_MS) : undefined;
  };
  return {
    soon() {
      changedAt = Date.now();
      timer ??= setTimeout(again, COUNTED_MS / 10);
    },
    stop: () => clearTimeout(timer),
  };
}
