import type { TicketViewSearch } from '@firmdesk/contract';

/** Returns the filters of all tickets of a trader, latest activity first. */
export function ticketsOf(email: string): TicketViewSearch {
  return { from: email, snoozed: 'all', sort: '-last_message_at' };
}
