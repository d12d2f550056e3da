import type { FirmStreamEvent } from '@firmdesk/contract';
import { useEffect } from 'react';
import { client, queryClient, trpc } from '../api.ts';
import { isSignedOut } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';

type Part = Extract<FirmStreamEvent, { what: string }>['what'];

/** Loads a part of the firm's settings again when a colleague has changed it. */
export function useLiveFirm(part: Part): void {
  useEffect(() => {
    const refresh = () => {
      void queryClient.invalidateQueries({ queryKey: trpc.firm[part].pathKey() });
      // The people, teams and tags that every page offers.
      void queryClient.invalidateQueries({ queryKey: trpc.tickets.desk.queryKey() });
    };
    const following = client.firm.live.subscribe(
      {},
      {
        onStarted: refresh,
        onData: ({ data }) => (data.type === 'resync' || data.what === part) && refresh(),
        onError(error) {
          if (!isSignedOut(error)) reportError(error, 'Live updates of the settings stopped');
        },
      },
    );
    return () => following.unsubscribe();
  }, [part]);
}
