import type { TicketCounts, TicketGroup } from '@firmdesk/contract';
import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { groupCondition } from './filters.ts';

/** Counting 200,000 tickets takes as long as reading a hundred pages of them, so counts are cached. */
const CACHE_MS = 5_000;
/** The cache is cleared beyond this many firms. */
const MAX_FIRMS = 1_000;

interface CachedCounts {
  readAt: number;
  counts: Promise<TicketCounts>;
}

const cache = new WeakMap<Services, Map<number, CachedCounts>>();

/** Returns how many of the firm's tickets are in each group of the queue; at most {@link CACHE_MS} old. */
export function countTickets({ services, workspace }: AccountContext): Promise<TicketCounts> {
  const firms = cache.get(services) ?? new Map<number, CachedCounts>();
  cache.set(services, firms);
  const now = performance.now();
  const cached = firms.get(workspace.id);
  if (cached && now - cached.readAt < CACHE_MS) return cached.counts;
  if (firms.size >= MAX_FIRMS) firms.clear();
  const counts = count(services, workspace.id);
  firms.set(workspace.id, { readAt: now, counts });
  // A failed count is not cached.
  counts.catch(() => firms.delete(workspace.id));
  return counts;
}

const countedGroups = ['waiting', 'ai', 'trader', 'ended'] as const satisfies TicketGroup[];

async function count({ pool }: Services, workspaceId: number): Promise<TicketCounts> {
  const { rows } = await queryPool<Omit<TicketCounts, 'object'>>(pool, {
    name: 'count-tickets',
    text: `
      select ${countedGroups
        .map((group) => `(count(*) filter (where ${groupCondition(group)}))::int as ${group}`)
        .join(', ')}
      from tickets t where workspace_id = $1`,
    values: [workspaceId],
  });
  return { object: 'ticket_counts', ...rows[0]! };
}
