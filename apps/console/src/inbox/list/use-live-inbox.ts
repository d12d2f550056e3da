import type { Ticket } from '@firmdesk/contract';
import { useEffect } from 'react';
import { client, connection, queryClient, trpc } from '../../api.ts';
import { outbox } from '../../outbox/outbox.ts';
import { showTicket } from '../../tickets/ticket-query.ts';
import { patchLists, refreshLists, retryLists } from './ticket-lists.ts';

/** The service caches its counts for this long, unless they are asked for after an own change. */
const COUNTS_REFRESH_MS = 5_000;
/** Own changes within this time are counted together. */
const OWN_CHANGES_MS = 1_000;

/** The last event id. Survives unmount, so that re-entering the inbox resumes from here. */
let lastEventId: string | undefined;

/** Keeps lists and tickets up to date while the inbox is mounted. */
export function useLiveInbox(): void {
  useEffect(() => {
    const recount = createRecount();
    let late: ReturnType<typeof setTimeout> | undefined;
    const subscription = client.tickets.live.subscribe(lastEventId === undefined ? {} : { lastEventId }, {
      onStarted() {
        // Without an event to resume from, changes before the subscription started were missed.
        if (lastEventId !== undefined) return;
        refreshLists();
        // The counts too, once those that the service has cached have expired.
        late = setTimeout(recount.now, COUNTS_REFRESH_MS);
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
    const stopCounting = onOwnChange(recount.afterOwnChange);
    const stopCopying = copyEditsToLists();
    const stopWatching = connection.subscribe(() => {
      if (connection.state.status === 'open') retryLists();
    });
    return () => {
      subscription.unsubscribe();
      stopCounting();
      stopCopying();
      stopWatching();
      recount.stop();
      clearTimeout(late);
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

/** Calls a function when the service has confirmed, or rejected, an own change. */
function onOwnChange(run: () => void): () => void {
  let count = outbox().entries().length;
  return outbox().subscribe(() => {
    const before = count;
    count = outbox().entries().length;
    if (count < before) run();
  });
}

/**
 * Refetches the counts while tickets change, and once more after the service's cached counts have expired. After an own change they are
 * counted now.
 */
function createRecount() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changedAt = 0;
  let ownChangeAt = 0;
  let ranAt = 0;
  const again = () => {
    ranAt = Date.now();
    if (ranAt - ownChangeAt < COUNTS_REFRESH_MS) void countNow();
    else {
      void queryClient.invalidateQueries({ queryKey: trpc.tickets.counts.queryKey() });
      void queryClient.invalidateQueries({ queryKey: trpc.tickets.views.counts.queryKey() });
    }
    timer = ranAt - changedAt < COUNTS_REFRESH_MS ? setTimeout(again, COUNTS_REFRESH_MS) : undefined;
  };
  return {
    soon() {
      changedAt = Date.now();
      timer ??= setTimeout(again, COUNTS_REFRESH_MS / 10);
    },
    now() {
      if (timer === undefined) again();
    },
    afterOwnChange() {
      changedAt = Date.now();
      ownChangeAt = changedAt;
      clearTimeout(timer);
      timer = setTimeout(again, Math.max(0, ranAt + OWN_CHANGES_MS - changedAt));
    },
    stop: () => clearTimeout(timer),
  };
}

/** Loads counts that contain the last own change. */
async function countNow(): Promise<void> {
  const { counts, views } = trpc.tickets;
  const keys = { counts: counts.queryKey(), views: views.counts.queryKey() };
  const input = { fresh: true };
  await Promise.all([
    client.tickets.counts.query(input).then(async (fresh) => {
      // A response that is under way may be older.
      await queryClient.cancelQueries({ queryKey: keys.counts });
      queryClient.setQueryData(keys.counts, fresh);
    }),
    client.tickets.views.counts.query(input).then(async (fresh) => {
      await queryClient.cancelQueries({ queryKey: keys.views });
      queryClient.setQueryData(keys.views, fresh);
    }),
    // The next change counts them again.
  ]).catch(() => {});
}
