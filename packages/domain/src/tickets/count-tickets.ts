import type { TicketCounts } from '@firmdesk/contract';
import type { Services } from '../platform/services.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Counting 200,000 tickets takes as long as reading a hundred pages of them, so counts are cached. */
const CACHE_MS = 5_000;
/** The cache is cleared beyond this many firms. */
const MAX_FIRMS = 1_000;

interface CachedCounts {
  at: number;
  counts: Promise<TicketCounts>;
}

const cache = new WeakMap<Services, Map<number, CachedCounts>>();

/** Returns how many of the firm's tickets are in each group of the queue; at most {@link CACHE_MS} old. */
export function countTickets({ services, workspace }: AccountContext): Promise<TicketCounts> {
  const firms = cache.get(services) ?? new Map<number, CachedCounts>();
  cache.set(services, firms);
  const now = performance.now();
  const cached = firms.get(workspace.id);
  if (cached && now - cached.at < CACHE_MS) return cached.counts;
  if (firms.size >= MAX_FIRMS) firms.clear();
  const counts = count(services, workspace.id);
  firms.set(workspace.id, { at: now, counts });
  counts.catch(() => firms.delete(workspace.id));
  return counts;
}

async function count({ pool }: Services, workspaceId: number): Promise<TicketCounts> {
  const { rows } = await pool.query<Omit<TicketCounts, 'object'>>({
    name: 'count-tickets',
    text: `
      select (count(*) filter (where queue_rank < 4))::int as waiting,
        (count(*) filter (where queue_rank = 4))::int as ai,
        (count(*) filter (where queue_rank = 5))::int as trader,
        (count(*) filter (where queue_rank = 6))::int as ended
      from tickets where workspace_id = $1`,
    values: [workspaceId],
  });
  return { object: 'ticket_counts', ...rows[0]! };
}
