import { type TicketGroup, ticketStatuses } from './enumerations.ts';
import type { TicketFilter } from './ticket-filter.ts';
import type { TicketStatus } from './tickets.ts';

/** The statuses of each group, for the filters of the service and of the console. */
export const ticketGroupStatuses: Readonly<Record<TicketGroup, readonly TicketStatus[]>> = {
  waiting: ['awaiting_admin'],
  open: ['open', 'awaiting_admin', 'awaiting_trader'],
  ai: ['open'],
  trader: ['awaiting_trader'],
  ended: ['resolved', 'closed'],
  all: ticketStatuses,
};

/** Returns which tickets a filter selects: where it does not say, snoozed ones only by a search text. */
export function snoozedIn({ snoozed, q }: TicketFilter): NonNullable<TicketFilter['snoozed']> {
  return snoozed ?? (q === undefined ? 'hidden' : 'all');
}
