import { type TicketGroup, ticketStatuses } from '../values/enumerations.ts';
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

/** The values of a filter: a ticket has any of them, or with `isExcluded` none. */
export interface Choice {
  values: readonly string[];
  isExcluded: boolean;
}

/** The words that select all tickets. */
const ALL = new Set(['all', 'any', 'anyone']);

/** Returns the values of a filter such as `urgent,high` or `-low`; null if it selects all tickets. */
export function readChoice(text: string | undefined): Choice | null {
  if (text === undefined || ALL.has(text)) return null;
  const isExcluded = text.startsWith('-');
  return { values: text.slice(isExcluded ? 1 : 0).split(','), isExcluded };
}

/** Returns a filter with these values as it is written; undefined without values. */
export function writeChoice({ values, isExcluded }: Choice): string | undefined {
  return values.length === 0 ? undefined : `${isExcluded ? '-' : ''}${values.join(',')}`;
}

/** Returns whether a filter selects a ticket, given which of its values the ticket has. */
export function isChosen(text: string | undefined, has: (value: string) => boolean): boolean {
  const choice = readChoice(text);
  return choice === null || choice.values.some(has) !== choice.isExcluded;
}
