import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { InboxSearch } from './inbox-search.ts';
import { resetList } from './ticket-lists.ts';

const route = getRouteApi('/firm/tickets');

/** The filters in the address, and how to choose others: the ticket that is open stays open. */
export function useInboxSearch() {
  const search = route.useSearch();
  const navigate = useNavigate();
  return {
    search,
    /** @param replace whether the filters of before are not worth going back to */
    choose(next: InboxSearch, { replace = false } = {}) {
      resetList(next);
      void navigate({ to: '.', search: next, replace });
    },
    /** The search with a filter changed; undefined takes it out. */
    with<Name extends keyof InboxSearch>(name: Name, value: InboxSearch[Name] | undefined): InboxSearch {
      const { [name]: _, ...others } = search;
      return value === undefined ? others : { ...others, [name]: value };
    },
  };
}
