import { asFirmdeskError } from '@firmdesk/client';
import type { Mailbox } from '@firmdesk/contract';
import { useEffect } from 'react';
import { client, queryClient, trpc } from '../api.ts';
import { isSignedOut } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';

/** Changes within this time are fetched together. */
const GATHER_MS = 300;

/** Keeps the mail queries up to date while the page is shown. */
export function useLiveMail(mailboxes: readonly Mailbox[]): void {
  // The subscription covers the mailboxes that were readable when it started.
  const readable = mailboxes.map(({ id }) => id).join(' ');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      // A change of this page that is being saved is shown already, and refreshes at its end.
      if (queryClient.isMutating() > 0) return later();
      void queryClient.invalidateQueries(trpc.mail.pathFilter());
    };
    const later = () => {
      timer ??= setTimeout(refresh, GATHER_MS);
    };
    const following = client.mail.live.subscribe(
      {},
      {
        // Data loaded before the stream started may lack events in between.
        onStarted: later,
        onData: later,
        onError(error) {
          if (isSignedOut(error) || asFirmdeskError(error).code === 'workspace_not_permitted') return;
          reportError(error, 'Live updates of mail stopped');
        },
      },
    );
    return () => {
      clearTimeout(timer);
      following.unsubscribe();
    };
  }, [readable]);
}
