import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';

/** The firm's agents, teams and tags, once they are loaded. They need the permission to view tickets. */
export function useSupportDirectory(mayView = true) {
  return useQuery(trpc.tickets.desk.queryOptions(undefined, { staleTime: 60_000, enabled: mayView })).data;
}
