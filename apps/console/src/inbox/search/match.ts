import {
  foldSearchText,
  ID_BODY,
  idPrefixes,
  parseSearchTerms,
  snoozedIn,
  type Ticket,
  ticketGroupStatuses,
} from '@firmdesk/contract';
import { nextDue } from '../../tickets/properties/next-due.ts';
import type { InboxSearch } from './inbox-search.ts';

/** `perhaps`: only the service can decide, because it also searches the messages. */
export type Match = boolean | 'perhaps';

/** The account that `me` stands for. */
export interface Caller {
  id: string;
  teams: readonly number[];
}

/** Returns whether a list with these filters contains a ticket (contract §4.7). */
export function matches(ticket: Ticket, filters: InboxSearch, caller: Caller): Match {
  const { status = 'all', assignee = 'anyone', team = 'any', priority, tag = 'all' } = filters;
  const snoozed = snoozedIn(filters);
  const isListed =
    (snoozed === 'all' || ticket.snoozed === (snoozed === 'only')) &&
    ticketGroupStatuses[status].includes(ticket.status) &&
    (priority === undefined || ticket.priority === priority) &&
    (team === 'any' || String(ticket.team?.id ?? 'none') === team) &&
    (tag === 'all' || ticket.tags.some(({ id }) => String(id) === tag)) &&
    (filters.is === undefined || ticket.unread > 0) &&
    isAssignedTo(ticket, assignee, caller) &&
    isDue(ticket, filters.due);
  if (!isListed || !isFrom(ticket, filters.from)) return false;
  const found = isFoundBy(ticket, filters.q ?? '');
  // Only the service knows the attachments, and when the days of the account's time zone begin.
  const isUncertain =
    filters.has !== undefined || filters.before !== undefined || filters.after !== undefined;
  return found === true && isUncertain ? 'perhaps' : found;
}

function isDue(ticket: Ticket, due: string | undefined): boolean {
  if (due === undefined) return true;
  const next = nextDue(ticket);
  if (next === null || due === 'set') return next !== null;
  const minutes = due === 'breached' ? 0 : Number.parseInt(due, 10);
  return Date.parse(next.at) < Date.now() + minutes * 60_000;
}

function isAssignedTo({ assignee, team }: Ticket, filter: string, caller: Caller): boolean {
  if (filter === 'anyone') return true;
  if (filter === 'none') return assignee === null && team === null;
  if (filter !== 'me') return assignee?.id === filter;
  return assignee?.id === caller.id || (team !== null && caller.teams.includes(team.id));
}

const wholeTicket = new RegExp(`^${idPrefixes.ticket}${ID_BODY}$`);
const wholeTrader = new RegExp(`^${idPrefixes.user}${ID_BODY}$`);

function isFrom({ trader }: Ticket, from = ''): boolean {
  const names = foldSearchText(`${trader.name} ${trader.email}`);
  return foldSearchText(from)
    .split(/\s+/)
    .every((word) => names.includes(word));
}

function isFoundBy(ticket: Ticket, q: string): Match {
  const { words, phrases, without } = parseSearchTerms(q);
  const text = words.trim();
  const visible = foldSearchText(`${ticket.subject} ${ticket.trader.name} ${ticket.trader.email}`);
  if (without.some((term) => visible.includes(foldSearchText(term)))) return false;
  const isCertain =
    without.length === 0 && phrases.every((phrase) => visible.includes(foldSearchText(phrase)));
  const found = hasWords(ticket, text);
  return found === true && !isCertain ? 'perhaps' : found;
}

function hasWords(ticket: Ticket, text: string): Match {
  if (wholeTicket.test(text)) return ticket.id === text;
  if (wholeTrader.test(text)) return ticket.trader.id === text;
  const found = foldSearchText(text)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => isWordIn(ticket, word));
  if (found.includes(false)) return false;
  return found.includes('perhaps') ? 'perhaps' : true;
}

function isWordIn({ number, subject, trader }: Ticket, word: string): Match {
  if (word.startsWith('#')) return word.length > 1 && number.startsWith(word.toUpperCase());
  const isVisible =
    number === `#${word.toUpperCase()}` ||
    foldSearchText(`${subject} ${trader.name} ${trader.email}`).includes(word);
  return isVisible || 'perhaps';
}
