import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';

/** The firm's agents, teams and tags, once they are loaded. */
export function useSupportDirectory() {
  return useQuery(trpc.tickets.desk.queryOptions(undefined, { staleTime: 60_000 })).data;
}
