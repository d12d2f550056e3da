import { asFirmdeskError } from '@firmdesk/client';
import type { CalendarStreamEvent } from '@firmdesk/contract';
import { useEffect } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { isSignedOut } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';

/** Changes within this time are fetched together. */
const GATHER_MS = 300;

/** Loads calendars and events again when another window or a colleague has changed them, while the page is shown. */
export function useLiveCalendars(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAll = false;
    const refresh = () => {
      timer = undefined;
      // A change of this page that is being saved is shown already, and refreshes at its end.
      if (queryClient.isMutating() > 0) return later();
      const filter = isAll ? trpc.calendar.pathFilter() : trpc.calendar.list.pathFilter();
      isAll = false;
      void queryClient.invalidateQueries(filter);
    };
    const later = () => {
      timer ??= setTimeout(refresh, GATHER_MS);
    };
    const changed = (type: CalendarStreamEvent['type']) => {
      isAll ||= type !== 'events.changed';
      later();
    };
    const following = client.calendar.live.subscribe(
      {},
      {
        // Data loaded before the stream started may lack events in between.
        onStarted: () => changed('resync'),
        onData: ({ data }) => changed(data.type),
        onError(error) {
          if (isSignedOut(error) || asFirmdeskError(error).code === 'workspace_not_permitted') return;
          reportError(error, 'Live updates of the calendar stopped');
        },
      },
    );
    return () => {
      clearTimeout(timer);
      following.unsubscribe();
    };
  }, []);
}
