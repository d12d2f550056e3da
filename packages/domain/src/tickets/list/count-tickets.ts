import {
  type CountTicketsInput,
  MAX_TICKET_COUNT,
  type TicketCounts,
  type TicketGroup,
} from '@firmdesk/contract';
import { LRUCache } from 'lru-cache';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { groupCondition } from './filters.ts';

/** All agents of a firm ask for the counts when a ticket changes. */
const CACHE_MS = 5_000;
const MAX_FIRMS = 1_000;

declare module '../../platform/services.ts' {
  interface Services {
    /** The latest counts of each firm's tickets. */
    ticketCounts: LRUCache<number, Promise<TicketCounts>>;
  }
}

export function createTicketCounts(): Services['ticketCounts'] {
  return new LRUCache({ max: MAX_FIRMS, ttl: CACHE_MS });
}

/**
 * Returns how many of the firm's tickets are in each group of the queue; at most {@link CACHE_MS} old, or counted now if `fresh`. Counts up to one more
 * than the maximum, so that the time does not depend on the number of tickets.
 */
export function countTickets(
  { services, workspace }: AccountContext,
  { fresh }: CountTicketsInput,
): Promise<TicketCounts> {
  const cache = services.ticketCounts;
  const cached = fresh ? undefined : cache.get(workspace.id);
  if (cached) return cached;
  const counts = countGroups(services, workspace.id);
  cache.set(workspace.id, counts);
  // A failed count is not cached.
  counts.catch(() => cache.peek(workspace.id) === counts && cache.delete(workspace.id));
  return counts;
}

const countedGroups = ['waiting', 'ai', 'trader', 'ended'] as const satisfies TicketGroup[];

/** Counts the tickets of each group, up to one more than `max`. */
export async function countGroups(
  { pool }: Services,
  workspaceId: number,
  max = MAX_TICKET_COUNT,
): Promise<TicketCounts> {
  const { rows } = await pool.query<Omit<TicketCounts, 'object'>>({
    name: 'count-tickets',
    // The index that counts tickets does not know which are snoozed. Snoozed tickets are counted by their own index and subtracted.
    text: `with snoozed as materialized (
        select t.queue_rank from tickets t where t.workspace_id = $1 and t.snoozed_at is not null limit $2::bigint)
      select (select count(*)::int from snoozed) as snoozed, ${countedGroups
        .map((group) => {
          const snoozed = `(select count(*)::int from snoozed t where ${groupCondition(group)})`;
          return `(select count(*)::int from (
            select from tickets t where t.workspace_id = $1 and ${groupCondition(group)} limit $2::bigint + ${snoozed}) t)
            - ${snoozed} as ${group}`;
        })
        .join(', ')}`,
    values: [workspaceId, max + 1],
  });
  return { object: 'ticket_counts', ...rows[0]! };
}
