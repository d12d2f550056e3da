import { type Ticket, type TicketPriority, type TicketSort, ticketPriorities } from '@firmdesk/contract';
import { nextDue } from '../../tickets/properties/next-due.ts';

/**
 * Compares two tickets as the service orders them: negative if `a` comes first, positive if `b` does (contract §4.7). Zero if
 * the tickets alone do not decide.
 */
export function compareTickets(sort: TicketSort, a: Ticket, b: Ticket): number {
  switch (sort) {
    case 'queue':
      return (
        queueRank(a) - queueRank(b) ||
        (a.status === 'awaiting_admin' ? longerWait(a, b) : laterActivity(a, b))
      );
    case '-last_message_at':
      return laterActivity(a, b);
    case '-created_at':
      return byTime(b.created_at, a.created_at);
    case 'created_at':
      return byTime(a.created_at, b.created_at);
    case '-priority':
      return rankOf(a.priority) - rankOf(b.priority) || laterActivity(a, b);
    case 'next_due_at':
      return byTime(nextDue(a)?.at ?? NEVER, nextDue(b)?.at ?? NEVER);
  }
}

/** Sorts after all times. */
const NEVER = '9999';

/** How many rows in each direction are searched for a neighbour that is in order. */
const NEIGHBOURS = 20;

/** Returns whether a ticket is in order at a position, relative to the nearest rows that are in order. */
export function isInOrder(
  sort: TicketSort,
  ticket: Ticket,
  position: number,
  rowInOrder: (position: number) => Ticket | undefined,
): boolean {
  const neighbour = (step: 1 | -1) => {
    for (let at = position + step; Math.abs(at - position) <= NEIGHBOURS; at += step) {
      const row = rowInOrder(at);
      if (row) return row;
    }
    return undefined;
  };
  const before = neighbour(-1);
  const after = neighbour(1);
  return (
    (!before || compareTickets(sort, before, ticket) <= 0) &&
    (!after || compareTickets(sort, ticket, after) <= 0)
  );
}

/** Ranks of the other statuses: after every `awaiting_admin` ticket, whose rank is its priority. */
const groupRank = { open: 10, awaiting_trader: 11, resolved: 12, closed: 12 } as const;

function queueRank({ status, priority }: Ticket): number {
  return status === 'awaiting_admin' ? rankOf(priority) : groupRank[status];
}

function rankOf(priority: TicketPriority): number {
  return ticketPriorities.indexOf(priority);
}

/** Orders the longer wait first. Returns 0 unless the trader wrote last in both: otherwise the wait is unknown. */
function longerWait(a: Ticket, b: Ticket): number {
  const isKnown = a.last_from === 'trader' && b.last_from === 'trader';
  return isKnown ? byTime(a.last_message_at, b.last_message_at) : 0;
}

function laterActivity(a: Ticket, b: Ticket): number {
  return byTime(b.last_message_at, a.last_message_at);
}

/** All times are ISO 8601 in UTC with the same precision, so they compare as text. */
function byTime(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
