import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api.ts';
import { useStoredValue } from '../../stored-value.ts';
import { closedReports } from './shown-bulk-change.ts';

const REFETCH_MS = 60_000;

/** Returns the id of a bulk change of the firm that was stopped, and whose report was not closed: a colleague can undo it. */
export function useStoppedBulkChange(mayManage: boolean): string | null {
  const closed = useStoredValue(closedReports());
  const { data } = useQuery(
    trpc.tickets.bulkChanges.stopped.queryOptions(undefined, {
      enabled: mayManage,
      refetchInterval: REFETCH_MS,
      staleTime: REFETCH_MS,
    }),
  );
  return data?.data.find(({ id }) => !closed.includes(id))?.id ?? null;
}
