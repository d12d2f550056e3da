import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

/** One page of a list endpoint. */
export interface ListPage<Row> {
  data: Row[];
  meta: { has_more: boolean; next_cursor: string | null };
}

/** Returns the options of `useInfiniteQuery` for a list that is loaded page by page. `key` must begin with the procedure's `pathKey()`. */
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
