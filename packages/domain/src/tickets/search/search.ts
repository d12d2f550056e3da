import { foldSearchText, idOf } from '@firmdesk/contract';
import type { Services } from '../../platform/services.ts';
import type { Bind } from '../list/filters.ts';
import { escapeLike, type PostingLimits, postingLimits, readPostings } from './search-dictionary.ts';
import { distinctWords } from './search-text.ts';
import { TicketSet } from './search-ticket-set.ts';

export interface SearchLimits extends PostingLimits {
  /** Up to this number, the tickets that may match are listed in the statement, so that the planner knows how many there are. */
  listed: number;
  /** The number of tickets whose texts are compared with common words before all postings are read. */
  compared: number;
}

const searchLimits: SearchLimits = { ...postingLimits, listed: 20_000, compared: 3_000 };

const TicketId = idOf('ticket');
const TraderId = idOf('user');
const NUMBER = /^[0-9a-z]{6}$/;

/** A parsed `q` (contract §4.7): a ticket's id, a trader's id, or words. */
export type Query = { ticket: string } | { trader: string } | { words: string[] };

/** Parses `q`. Returns null if it has no words. */
export function parseQuery(q: string | undefined): Query | null {
  const text = q?.trim() ?? '';
  if (text === '') return null;
  if (TicketId.safeParse(text).success) return { ticket: text };
  if (TraderId.safeParse(text).success) return { trader: text };
  const words = distinctWords(foldSearchText(text));
  return words.length > 0 ? { words } : null;
}

/** How to find the tickets that contain all words. */
export interface SearchPlan {
  /** Returns conditions on `tickets t` that select the tickets that may match. */
  candidates(bind: Bind): string[];
  /** Returns conditions on `tickets t` that read texts. They are evaluated in the list's order, until the page is full. */
  texts(bind: Bind): string[];
  /** The number of candidates to compare; null for all. */
  limit: number | null;
}

/** Reads the list with the plan of a search. */
export interface PlannedList<Row> {
  /** Returns a page of the tickets that match. */
  readPage(plan: SearchPlan): Promise<Row[]>;
  /** Returns whether more tickets may match than the plan's limit. */
  exceedsLimit(plan: SearchPlan): Promise<boolean>;
}

/**
 * Finds the tickets that contain all words. Words that are not common are looked up in the
 * postings, so it is known how many tickets have them all. Common ones are compared with the texts of the tickets in the list's
 * order, which soon fills a page. If it does not, their postings are read as well.
 */
export async function search<Row>(
  services: Pick<Services, 'searchPool'>,
  { workspaceId, words, rows: wanted }: { workspaceId: number; words: readonly string[]; rows: number },
  list: PlannedList<Row>,
  limits: SearchLimits = searchLimits,
): Promise<Row[]> {
  const numbers = words.filter((word) => word.startsWith('#')).map((word) => word.slice(1));
  if (numbers.includes('')) return [];
  const hasNumber = (bind: Bind) =>
    numbers.map((number) => `t.number like ${bind(`${escapeLike(number.toUpperCase())}%`)}`);
  const texts = words.filter((word) => !word.startsWith('#'));
  if (texts.length === 0) return list.readPage({ candidates: hasNumber, texts: () => [], limit: null });

  const pending = await readPending(services, workspaceId, texts);
  for (const postingLimits of [limits, null]) {
    const found = await findTickets(services, workspaceId, texts, pending, postingLimits);
    if (found.size === 0) return [];
    const limit = found.common.length > 0 && found.size > limits.compared ? limits.compared : null;
    const plan: SearchPlan = {
      candidates: (bind) => [...hasNumber(bind), ...isCandidate(found, limits, bind)],
      // Common words are compared first: nearly all candidates contain the other words.
      texts: (bind) => [...new Set([...found.common, ...texts])].map((word) => containsCondition(word, bind)),
      limit,
    };
    const rows = await list.readPage(plan);
    if (limit === null || rows.length >= wanted || !(await list.exceedsLimit(plan))) return rows;
  }
  throw new Error('The second round reads all postings.');
}

/** A ticket with pending texts, or with a number that equals a word. */
interface PendingTicket {
  id: string;
  /** Its number in postings; null if it is not indexed at all. */
  number: number | null;
  /** The positions of the words that it contains in these texts. */
  words: Set<number>;
}

/** Returns the tickets that contain a word in a text that is not in the postings yet, or have a word as their number. */
async function readPending(
  { searchPool }: Pick<Services, 'searchPool'>,
  workspaceId: number,
  words: readonly string[],
): Promise<PendingTicket[]> {
  const { rows } = await searchPool.query<{ id: string; number: number | null; found: boolean[] }>({
    name: 'search-pending',
    text: `
      select id, search_number as number, array(
        select search_text like pattern from unnest($2::text[]) with ordinality as p (pattern, position)
        order by position) as found
      from tickets where workspace_id = $1 and search_pending and search_text like any($2::text[])
      union all
      select m.ticket_id, t.search_number, array(
        select m.search_text like pattern from unnest($2::text[]) with ordinality as p (pattern, position)
        order by position)
      from ticket_messages m join tickets t on t.workspace_id = $1 and t.id = m.ticket_id
      where m.workspace_id = $1 and m.search_pending and m.search_text like any($2::text[])
      union all
      select id, search_number, array(
        select number = word from unnest($3::text[]) with ordinality as p (word, position) order by position)
      from tickets where workspace_id = $1 and number = any($3::text[])`,
    values: [
      workspaceId,
      words.map((word) => `%${escapeLike(word)}%`),
      words.map((word) => (NUMBER.test(word) ? word.toUpperCase() : '')),
    ],
  });
  const tickets = new Map<string, PendingTicket>();
  for (const { id, number, found } of rows) {
    const ticket = tickets.get(id) ?? { id, number, words: new Set() };
    tickets.set(id, ticket);
    for (const [i, isFound] of found.entries()) if (isFound) ticket.words.add(i);
  }
  return [...tickets.values()];
}

/** The tickets that may match. */
interface FoundTickets {
  /** Those that have all words that are not common; null if all words are common. */
  numbered: TicketSet | null;
  /** Those without a number that have all words. */
  ids: string[];
  /** The words whose postings are not read. */
  common: string[];
  /** The maximum number of tickets. */
  size: number;
}

async function findTickets(
  services: Pick<Services, 'searchPool'>,
  workspaceId: number,
  words: readonly string[],
  pending: readonly PendingTicket[],
  limits: PostingLimits | null,
): Promise<FoundTickets> {
  const read = await readPostings(services, workspaceId, words, limits);
  const { tickets } = read[0]!;
  let numbered: TicketSet | null = null;
  for (const [i, { postings }] of read.entries()) {
    if (!postings) continue;
    const having = new TicketSet(tickets);
    having.addPostings(postings);
    for (const ticket of pending) {
      if (ticket.number !== null && ticket.words.has(i)) having.add(ticket.number);
    }
    if (numbered) numbered.intersect(having);
    else numbered = having;
  }
  // All texts of a ticket without a number are pending.
  const ids = pending
    .filter((ticket) => ticket.number === null && ticket.words.size === words.length)
    .map(({ id }) => id);
  return {
    numbered,
    ids,
    common: words.filter((_, i) => read[i]!.postings === null),
    size: (numbered ? numbered.count : tickets) + ids.length,
  };
}

/** Returns the conditions that a ticket is one of those found. */
function isCandidate({ numbered, ids, size }: FoundTickets, { listed }: SearchLimits, bind: Bind): string[] {
  if (!numbered) return [];
  const conditions = ids.length > 0 ? [`t.id = any(${bind(ids)}::text[])`] : [];
  if (size <= listed) {
    conditions.unshift(`t.search_number = any(${bind(numbered.numbers())}::integer[])`);
  } else {
    // The planner does not know how many tickets are in a bitmap. It assumes 0.5 % for each value that an expression is compared with.
    const size = numbered.bytes.length * 8;
    const values = Array.from({ length: Math.ceil((200 * numbered.count) / size) }, (_, i) => i + 1);
    conditions.unshift(
      `(case when t.search_number < ${size} then get_bit(${bind(numbered.bytes)}::bytea, t.search_number) else 0 end) = any(${bind(values)}::integer[])`,
    );
  }
  return [`(${conditions.join(' or ')})`];
}

/** Returns the condition that a ticket has the word. With the subquery it is evaluated after the candidates are sorted. */
function containsCondition(word: string, bind: Bind): string {
  const pattern = bind(`%${escapeLike(word)}%`);
  const number = NUMBER.test(word) ? `t.number = ${bind(word.toUpperCase())} or ` : '';
  return `(${number}t.search_text like ${pattern} or coalesce((
    select true from ticket_messages m
    where m.workspace_id = $1 and m.ticket_id = t.id and m.search_text like ${pattern} limit 1), false))`;
}
