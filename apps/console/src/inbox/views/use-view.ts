import type { TicketCounts, TicketView } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { useSavedViews } from './saved-views.ts';
import { builtInViewsOf, isSameSearch } from './views.ts';

export function useTicketCounts(): TicketCounts | undefined {
  return useQuery(trpc.tickets.counts.queryOptions()).data;
}

/** Returns the view whose filters equal those of the URL. Without one, `isNamed` is false and the name is `Tickets`. */
export function useView(): { name: string; saved: TicketView | undefined; isNamed: boolean } {
  const { search } = useInboxSearch();
  const { id } = useAccount().user;
  const saved = useSavedViews().find((view) => isSameSearch(view.search, search));
  if (saved) return { name: saved.name, saved, isNamed: true };
  const builtIn = builtInViewsOf(id).find((view) => isSameSearch(view.search, search));
  return { name: builtIn?.name ?? 'Tickets', saved: undefined, isNamed: builtIn !== undefined };
}

/** Returns the saved view that is shown, or that was shown before filters of it changed. */
export function useBaseView(): TicketView | undefined {
  const { saved, isNamed } = useView();
  const [base, setBase] = useState(saved?.id);
  if (isNamed && saved?.id !== base) setBase(saved?.id);
  return useSavedViews().find(({ id }) => id === base);
}

/** Returns whether the firm has no tickets at all. False until they are counted. */
export function useHasNoTickets(): boolean {
  const counts = useTicketCounts();
  if (!counts) return false;
  const { waiting, ai, trader, ended, snoozed } = counts;
  return waiting + ai + trader + ended + snoozed === 0;
}
