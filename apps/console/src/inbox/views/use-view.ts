import type { TicketCounts, TicketView } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { useSavedViews } from './saved-views.ts';
import { builtInViews, isSameSearch } from './views.ts';

export function useTicketCounts(): TicketCounts | undefined {
  return useQuery(trpc.tickets.counts.queryOptions()).data;
}

/** Returns the view whose filters equal those of the URL. Without one, `isNamed` is false and the name is `Tickets`. */
export function useView(): { name: string; saved: TicketView | undefined; isNamed: boolean } {
  const { search } = useInboxSearch();
  const saved = useSavedViews().find((view) => isSameSearch(view.search, search));
  if (saved) return { name: saved.name, saved, isNamed: true };
  const builtIn = builtInViews.find((view) => isSameSearch(view.search, search));
  return { name: builtIn?.name ?? 'Tickets', saved: undefined, isNamed: builtIn !== undefined };
}
