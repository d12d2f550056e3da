import {
  type CountTicketsInput,
  MAX_VIEW_COUNT,
  readChoice,
  type TicketFilter,
  type TicketViewCounts,
} from '@firmdesk/contract';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { findTicketIds } from '../list/list-tickets.ts';
import { parseQuery } from '../search/search.ts';
import { readTicketViews } from './ticket-view-row.ts';

/** All members of a team ask for the counts of its views when a ticket changes. */
const CACHE_MS = 5_000;
/** A view with words is searched for. */
const SEARCH_CACHE_MS = 30_000;
const MAX_CACHED = 10_000;

declare module '../../platform/services.ts' {
  interface Services {
    /** The latest count of each search of a view. */
    viewCounts: LRUCache<string, Promise<number | null>>;
  }
}

export function createViewCounts(): Services['viewCounts'] {
  return new LRUCache({ max: MAX_CACHED });
}

/**
 * Returns how many tickets each view of the caller has, up to one more than {@link MAX_VIEW_COUNT}; a few seconds old, or counted now if
 * `fresh`. A search for words is never repeated sooner.
 */
export async function countTicketViews(
  ctx: AccountContext,
  { fresh }: CountTicketsInput,
): Promise<TicketViewCounts> {
  const counts: TicketViewCounts['counts'] = {};
  for (const { id, search } of await readTicketViews(ctx)) {
    const { sort: _, ...filter } = search;
    counts[id] = await cachedCount(ctx, filter, fresh);
  }
  return { object: 'ticket_view_counts', counts };
}

function cachedCount(ctx: AccountContext, filter: TicketFilter, fresh: boolean): Promise<number | null> {
  const { services, workspace, identity } = ctx;
  const cache = services.viewCounts;
  const me = readChoice(filter.assignee)?.values.includes('me') ? identity.user.id : null;
  // Days begin in the caller's time zone.
  const key = JSON.stringify([workspace.id, me, identity.user.timezone, Object.entries(filter).sort()]);
  const query = parseQuery(filter.q);
  const hasWords = query !== null && 'words' in query;
  const known = fresh && !hasWords ? undefined : cache.get(key);
  if (known) return known;
  const count = findTicketIds(ctx, filter, MAX_VIEW_COUNT + 1).then(
    (ids) => ids.length,
    (error: unknown) => {
      // One view whose search takes too long does not prevent the others.
      if (error instanceof ApiError && error.apiCode !== 'internal_error') return null;
      throw error;
    },
  );
  cache.set(key, count, { ttl: hasWords ? SEARCH_CACHE_MS : CACHE_MS });
  count.catch(() => cache.peek(key) === count && cache.delete(key));
  return count;
}
