import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { pollUnfinished, RequestsTable } from './requests-table.tsx';

/** The exports and erasures of people, with the reports. */
export function PersonRequests() {
  const requests = useQuery(
    trpc.firm.data.person.requests.queryOptions({}, { refetchInterval: pollUnfinished }),
  );
  const erased = requests.data?.data.filter(
    ({ kind, state }) => kind === 'erase_person' && state === 'done',
  ).length;
  // Who was erased is no longer in the lists.
  useEffect(() => {
    if (erased) void queryClient.invalidateQueries({ queryKey: trpc.firm.members.pathKey() });
  }, [erased]);
  return (
    <section aria-labelledby="data-requests" className="space-y-2">
      <h2 id="data-requests" className="font-semibold">
        Exports and erasures
      </h2>
      <p className="text-muted">
        Who holds every permission can download the export of a colleague, and it is offered to nobody else.
      </p>
      {requests.data ? (
        <RequestsTable caption="Exports and erasures of people" requests={requests.data.data} hasFilter />
      ) : requests.isError ? (
        <ErrorState error={requests.error} onRetry={() => void requests.refetch()} />
      ) : (
        <LoadingRows label="Loading exports and erasures" rows={2} />
      )}
    </section>
  );
}
