import type { TicketCounts } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { useAccount } from '../session/account.ts';
import { useStoredValue } from '../stored-value.ts';
import { useInboxSearch } from './use-inbox-search.ts';
import { builtInViews, isSameSearch, savedViews, type View } from './views.ts';

export function useTicketCounts(): TicketCounts | undefined {
  return useQuery(trpc.tickets.counts.queryOptions()).data;
}

/** The views saved in this browser for the firm. */
export function useSavedViews(): readonly View[] {
  return useStoredValue(savedViews(useAccount().workspace.slug));
}

/** Returns the view whose filters equal those of the URL. Without one, `isNamed` is false and the name is `Tickets`. */
export function useView(): { name: string; isSaved: boolean; isNamed: boolean } {
  const { search } = useInboxSearch();
  const saved = useSavedViews().find((view) => isSameSearch(view.search, search));
  if (saved) return { name: saved.name, isSaved: true, isNamed: true };
  const builtIn = builtInViews.find((view) => isSameSearch(view.search, search));
  return { name: builtIn?.name ?? 'Tickets', isSaved: false, isNamed: builtIn !== undefined };
}
