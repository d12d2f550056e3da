import { asFirmdeskError } from '@firmdesk/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client, queryClient, trpc } from '../api.ts';
import { isSignedOut } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';

/** What the platform says about a trader. It is loaded again when the platform says something else. */
export function useTraderContext(trader: string) {
  const query = useQuery(trpc.traders.context.queryOptions({ trader }, { staleTime: 60_000 }));
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries(trpc.traders.context.queryFilter({ trader }));
    const following = client.traders.stream.subscribe(
      { trader },
      {
        onData: refresh,
        onError(error) {
          // An imported ticket can have a trader who is no member of the firm.
          const { code } = asFirmdeskError(error);
          if (isSignedOut(error) || code === 'workspace_not_permitted' || code === 'resource_not_found')
            return;
          reportError(error, 'Live updates of the trader stopped');
        },
      },
    );
    return () => following.unsubscribe();
  }, [trader]);
  return query;
}
