import type { FirmStreamEvent } from '@firmdesk/contract';
import { useEffect } from 'react';
import { client, queryClient, trpc } from '../api.ts';
import { isSignedOut } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';

type Part = Extract<FirmStreamEvent, { what: string }>['what'];

const queriesOf = (part: Part) =>
  part === 'rules' || part === 'assignment' ? trpc.tickets[part].pathKey() : trpc.firm[part].pathKey();

/** Loads a part of the firm's settings again when a colleague has changed it, or another part on which it depends. */
export function useLiveFirm(part: Part, ...others: Part[]): void {
  const followed = [part, ...others].join();
  useEffect(() => {
    const refresh = () => {
      void queryClient.invalidateQueries({ queryKey: queriesOf(part) });
      // The people, teams and tags that every page offers.
      void queryClient.invalidateQueries({ queryKey: trpc.tickets.desk.queryKey() });
    };
    const following = client.firm.live.subscribe(
      {},
      {
        onStarted: refresh,
        onData: ({ data }) =>
          (data.type === 'resync' || followed.split(',').includes(data.what)) && refresh(),
        onError(error) {
          if (!isSignedOut(error)) reportError(error, 'Live updates of the settings stopped');
        },
      },
    );
    return () => following.unsubscribe();
  }, [part, followed]);
}
