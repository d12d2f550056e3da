import type * as z from 'zod';
import {
  slaResults,
  type TicketGroup,
  ticketEnders,
  ticketGroups,
  ticketPriorities,
  ticketStatuses,
} from '../values/enumerations.ts';
import { ID_BODY, idPrefixes } from '../values/id-prefixes.ts';
import { MAX_CHOICES } from '../values/limits.ts';
import type { ListTicketsInput, TicketStatus } from './tickets.ts';

/** The statuses of each group, for the filters of the service and of the console. */
export const ticketGroupStatuses: Readonly<Record<TicketGroup, readonly TicketStatus[]>> = {
  waiting: ['awaiting_admin'],
  open: ['open', 'awaiting_admin', 'awaiting_trader'],
  ai: ['open'],
  trader: ['awaiting_trader'],
  ended: ['resolved', 'closed'],
  all: ticketStatuses,
};

type Snoozed = z.output<typeof ListTicketsInput>['snoozed'];

/** Returns which tickets a filter selects: where it does not say, snoozed ones only by a search text. */
export function snoozedIn({ snoozed, q }: { snoozed?: Snoozed; q?: string }): Snoozed {
  return snoozed ?? (q === undefined ? 'hidden' : 'all');
}

/** The values of a filter: a ticket has any of them, or with `isExcluded` none. */
export interface Choice {
  values: readonly string[];
  isExcluded: boolean;
}

/** The days of a week as filters name them. */
export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** How the filters are written that have one or several values of one kind. */
export const choicePatterns = {
  status: choicesOf(ticketGroups.filter((group) => group !== 'all').join('|'), 'all'),
  assignee: choicesOf(`me|none|${idPrefixes.user}${ID_BODY}`, 'anyone'),
  team: choicesOf('none|[1-9]\\d{0,17}', 'any'),
  priority: choicesOf(ticketPriorities.join('|')),
  tag: choicesOf('[1-9]\\d{0,17}', 'all'),
  has: choicesOf('attachment'),
  is: choicesOf('unread'),
  due: choicesOf('set|breached|[1-9]\\d{0,3}m'),
  hour: choicesOf('1?\\d|2[0-3]'),
  weekday: choicesOf(weekdayNames.join('|')),
  language: choicesOf('none|[a-z]{2,8}'),
  replied_by: choicesOf(`team|assistant|${idPrefixes.user}${ID_BODY}`),
  macro: choicesOf(`${idPrefixes.macro}${ID_BODY}`),
  article: choicesOf(`${idPrefixes.article}${ID_BODY}`),
  ended_by: choicesOf(ticketEnders.join('|')),
  sla: choicesOf(slaResults.join('|')),
};

/**
 * @param value a regular expression of one value
 * @param all the word that selects all tickets
 */
function choicesOf(value: string, all?: string): RegExp {
  return new RegExp(`^(${all ? `${all}|` : ''}-?(${value})(,(${value})){0,${MAX_CHOICES - 1}})$`);
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
