import { type Ticket, type TicketPriority, type TicketSort, ticketPriorities } from '@firmdesk/contract';

/**
 * Below zero where `a` stands before `b` in this order, above where it stands after it (contract §4.7). Zero: the tickets
 * alone do not tell.
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
  }
}

/** Neighbours that are looked at to tell whether a row still stands right. */
const NEIGHBOURS = 20;

/** Whether a ticket may stand at a place, between the nearest rows that stand right themselves. */
export function isInOrder(
  sort: TicketSort,
  ticket: Ticket,
  place: number,
  inPlace: (place: number) => Ticket | undefined,
): boolean {
  const neighbour = (step: 1 | -1) => {
    for (let at = place + step; Math.abs(at - place) <= NEIGHBOURS; at += step) {
      const row = inPlace(at);
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

/** After those that wait for the team, which their priority ranks. */
const groupRank = { open: 10, awaiting_trader: 11, resolved: 12, closed: 12 } as const;

function queueRank({ status, priority }: Ticket): number {
  return status === 'awaiting_admin' ? rankOf(priority) : groupRank[status];
}

function rankOf(priority: TicketPriority): number {
  return ticketPriorities.indexOf(priority);
}

/** Who wrote last is known; when the trader last did only where that was the trader. */
function longerWait(a: Ticket, b: Ticket): number {
  const isKnown = a.last_from === 'trader' && b.last_from === 'trader';
  return isKnown ? byTime(a.last_message_at, b.last_message_at) : 0;
}

function laterActivity(a: Ticket, b: Ticket): number {
  return byTime(b.last_message_at, a.last_message_at);
}

/** The times are all of one form: as text they compare as they do as times. */
function byTime(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
