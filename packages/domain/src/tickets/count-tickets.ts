import type { TicketCounts } from '@firmdesk/contract';
import type { Services } from '../platform/services.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Counts of this age are still given out: counting 200,000 tickets takes as long as a hundred pages of them. */
const KEPT_MS = 5_000;
/** Firms whose counts are kept. */
const MAX_FIRMS = 1_000;

interface Kept {
  at: number;
  counts: Promise<TicketCounts>;
}

const kept = new WeakMap<Services, Map<number, Kept>>();

/** How many of the firm's tickets each group of the queue holds; counted at most once in {@link KEPT_MS} per process. */
export function countTickets({ services, workspace }: AccountContext): Promise<TicketCounts> {
  const firms = kept.get(services) ?? new Map<number, Kept>();
  kept.set(services, firms);
  const now = performance.now();
  const known = firms.get(workspace.id);
  if (known && now - known.at < KEPT_MS) return known.counts;
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
