import type { Macro } from '@firmdesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { client, queryClient, trpc } from '../api.ts';

const PAGE = 100;

/** All macros of the firm, or those that the user can insert: the firm’s, and those of the user’s teams. */
export function macrosQuery(which: 'all' | 'usable') {
  return queryOptions({
    queryKey: [...trpc.macros.list.pathKey(), which],
    staleTime: 60_000,
    async queryFn({ signal }) {
      const macros: Macro[] = [];
      for (let cursor: string | null = null; ; ) {
        const { data, meta } = await client.macros.list.query(
          { usable: which === 'usable', limit: PAGE, ...(cursor !== null && { starting_after: cursor }) },
          { signal },
        );
        macros.push(...data);
        cursor = meta.next_cursor;
        if (cursor === null) return macros;
      }
    },
  });
}

/** Loads the macros again, now or when they are shown next. */
export function refreshMacros(): Promise<void> {
  return queryClient.invalidateQueries(trpc.macros.list.pathFilter());
}
