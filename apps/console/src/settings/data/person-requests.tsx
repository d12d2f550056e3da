import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { pollUnfinished, RequestsList } from './requests-list.tsx';
import { useMayExport } from './use-may-export.ts';

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
  const mayDownload = useMayExport('trader');
  if (!requests.data || requests.data.data.length === 0) return null;
  return (
    <section aria-labelledby="data-requests" className="space-y-2">
      <h2 id="data-requests" className="font-semibold">
        Exports and erasures
      </h2>
      <RequestsList
        label="Exports and erasures of people"
        requests={requests.data.data}
        mayDownload={mayDownload}
      />
    </section>
  );
}
