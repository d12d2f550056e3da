import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

/** A page as every list of the service answers it. */
export interface ListPage<Row> {
  data: Row[];
  meta: { has_more: boolean; next_cursor: string | null };
}

/** A list that is loaded page by page, for `useInfiniteQuery`. `key` is to begin with the procedure's `pathKey()`. */
export function pagedQuery<Row>(
  key: QueryKey,
  fetchPage: (from: { starting_after?: string }, options: { signal: AbortSignal }) => Promise<ListPage<Row>>,
) {
  return infiniteQueryOptions({
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      fetchPage(pageParam === null ? {} : { starting_after: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  });
}
