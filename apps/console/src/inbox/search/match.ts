import {
  foldSearchText,
  ID_BODY,
  idPrefixes,
  isChosen,
  isInPeriod,
  parseSearchTerms,
  snoozedIn,
  type Ticket,
  type TicketGroup,
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

/** Only the service knows the attachments, the days of time zones, the traders' languages, what was merged, and who replied with what. */
const knownToService = [
  ...(['has', 'before', 'after', 'ended', 'hour', 'weekday', 'language'] as const),
  ...(['replied', 'replied_by', 'macro', 'article', 'first_reply', 'rated', 'ended_by', 'sla'] as const),
];

/** Returns whether a list with these filters contains a ticket (contract §4.7). */
export function matches(ticket: Ticket, filters: InboxSearch, caller: Caller): Match {
  const snoozed = snoozedIn(filters);
  const isListed =
    (snoozed === 'all' || ticket.snoozed === (snoozed === 'only')) &&
    isChosen(filters.status, (group) => ticketGroupStatuses[group as TicketGroup].includes(ticket.status)) &&
    isChosen(filters.priority, (priority) => ticket.priority === priority) &&
    isChosen(filters.team, (team) => String(ticket.team?.id ?? 'none') === team) &&
    isChosen(filters.tag, (tag) => ticket.tags.some(({ id }) => String(id) === tag)) &&
    isChosen(filters.is, () => ticket.unread > 0) &&
    isChosen(filters.assignee, (assignee) => isAssignedTo(ticket, assignee, caller)) &&
    isChosen(filters.due, (due) => isDue(ticket, due)) &&
    isInPeriod(filters.created, ticket.created_at) &&
    isInPeriod(filters.ended, ticket.closed_at);
  if (!isListed || !isFrom(ticket, filters.from)) return false;
  const found = isFoundBy(ticket, filters.q ?? '');
  const isUncertain = knownToService.some((name) => filters[name] !== undefined);
  return found === true && isUncertain ? 'perhaps' : found;
}

function isDue(ticket: Ticket, due: string): boolean {
  const next = nextDue(ticket);
  if (next === null || due === 'set') return next !== null;
  const minutes = due === 'breached' ? 0 : Number.parseInt(due, 10);
  return Date.parse(next.at) < Date.now() + minutes * 60_000;
}

function isAssignedTo({ assignee, team }: Ticket, filter: string, caller: Caller): boolean {
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
