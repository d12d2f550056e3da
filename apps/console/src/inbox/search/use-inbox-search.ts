import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { resetList } from '../list/ticket-lists.ts';
import { type InboxSearch, parseInboxSearch } from './inbox-search.ts';

const route = getRouteApi('/firm/tickets');

/** The filters in the URL, and functions to change them. The open ticket stays open. */
export function useInboxSearch() {
  // The router leaves what the route does not know in the search.
  const search = route.useSearch({ select: parseInboxSearch, structuralSharing: true });
  const navigate = useNavigate();
  return {
    search,
    /** @param replace whether to replace the current history entry */
    choose(next: InboxSearch, { replace = false } = {}) {
      resetList(next);
      void navigate({ to: '.', search: next, replace });
    },
    /** Returns the search with one filter changed; undefined removes it. */
    with<Name extends keyof InboxSearch>(name: Name, value: InboxSearch[Name] | undefined): InboxSearch {
      const { [name]: _, ...others } = search;
      return value === undefined ? others : { ...others, [name]: value };
    },
  };
}
