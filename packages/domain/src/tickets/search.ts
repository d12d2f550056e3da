import { idOf } from '@firmdesk/contract';
import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';
import type { Bind } from './filters.ts';
import { distinctWords, fold } from './search-text.ts';
import {
  estimateMessages,
  estimateWords,
  type WordStatistics,
  wordStatistics,
} from './search-word-statistics.ts';

/** A query word that is part of more dictionary words than this counts as common. */
const MAX_KEYS = 500;
/** The limit of dictionary rows per query word. A word can have several rows: concurrent writers each add one. */
const MAX_ROWS = 2 * MAX_KEYS;
/** Scanning the messages of one ticket costs about as much as fetching this many messages by the index. */
const SCAN_COST = 4;

const TicketId = idOf('ticket');
const TraderId = idOf('user');
const NUMBER = /^[0-9a-z]{6}$/;

/** A parsed `q` (contract §4.7): a ticket's id, a trader's id, or words. */
export type Query = { ticket: string } | { trader: string } | { words: string[] };

/** Parses `q`. Returns null if it has no words. */
export function parseQuery(q: string | undefined): Query | null {
  const text = q?.trim() ?? '';
  if (TicketId.safeParse(text).success) return { ticket: text };
  if (TraderId.safeParse(text).success) return { trader: text };
  const words = distinctWords(fold(text));
  return words.length > 0 ? { words } : null;
}

/** How to find the tickets that contain all words. */
export interface SearchPlan {
  /** Selects the `id` of every ticket that may match, and few others; null: scan the firm's tickets in the list's order. */
  candidates: string | null;
  /** Further conditions on `tickets t`. */
  conditions: string[];
}

/** A word of the query, and the words of the firm's dictionary (`search_words`) that contain it. */
interface QueryWord {
  word: string;
  /** The keys of the dictionary words that contain it; null if there are too many. */
  keys: string[] | null;
  /** The word as a ticket number; null if it cannot be one. */
  number: string | null;
  /** The estimated number of messages that contain it. */
  messages: number;
}

/**
 * Plans a search by how common its words are. Tickets with rare words are fetched by the index. For common words a scan of
 * the tickets in the list's order is faster, since it soon fills a page. Returns null if nothing can match.
 */
export async function planSearch(
  services: Services,
  search: { workspaceId: number; words: readonly string[]; limit: number },
  bind: Bind,
): Promise<SearchPlan | null> {
  const numbers = search.words.filter((word) => word.startsWith('#')).map((word) => word.slice(1));
  if (numbers.includes('')) return null;
  const conditions = numbers.map((number) => `t.number like ${bind(`${escapeLike(number.toUpperCase())}%`)}`);
  const texts = search.words.filter((word) => !word.startsWith('#'));
  if (texts.length === 0) return { candidates: null, conditions };

  const statistics = await wordStatistics(services);
  const found = await findKeys(services, statistics, search.workspaceId, texts);
  const queryWords: QueryWord[] = texts.map((word, i) => ({
    word,
    keys: found[i]!,
    number: NUMBER.test(word) ? word.toUpperCase() : null,
    messages: found[i] ? estimateMessages(statistics, found[i]) : Number.POSITIVE_INFINITY,
  }));
  if (queryWords.some(({ keys, number }) => keys?.length === 0 && number === null)) return null;

  const rarest = Math.min(...queryWords.map(({ messages }) => messages));
  const shareOfTickets = queryWords.reduce(
    (share, { messages }) => share * Math.min(1, messages / Math.max(1, statistics.tickets)),
    1,
  );
  const scanned = Math.min(statistics.tickets, search.limit / shareOfTickets);
  const isScan = rarest > SCAN_COST * scanned || rarest === Number.POSITIVE_INFINITY;
  // Next to a rare word, one that is not much more common is fetched by the index too: a scan of each candidate costs more.
  const isIndexed = ({ messages }: QueryWord) => !isScan && messages <= 100 + 4 * SCAN_COST * rarest;
  return {
    candidates: isScan
      ? null
      : queryWords
          .filter(isIndexed)
          .map((word) => candidatesOf(word, bind))
          .join(' intersect '),
    conditions: [
      ...conditions,
      ...queryWords.filter((word) => !isIndexed(word)).map((word) => containsCondition(word, bind)),
    ],
  };
}

/** Returns for each word the keys of the dictionary words that contain it; null for more than {@link MAX_KEYS}. */
async function findKeys(
  { searchPool }: Services,
  statistics: WordStatistics,
  workspaceId: number,
  words: readonly string[],
): Promise<(string[] | null)[]> {
  const values: unknown[] = [];
  const selects = words.map((word) => {
    const grams = gramsOf(word).map((gram) => `${workspaceId}:${gram}`);
    if (grams.length === 1 && estimateWords(statistics, grams[0]!) > MAX_KEYS) {
      return 'select null::bigint[] as keys';
    }
    values.push(grams, `%${escapeLike(word)}%`);
    return `select array(select key from search_words
      where search_grams(workspace_id, word) @> $${values.length - 1} and word like $${values.length}
      limit ${MAX_ROWS + 1}) as keys`;
  });
  const { rows } = await queryPool<{ keys: string[] | null }>(searchPool, {
    // The plan does not depend on the words.
    ...(values.length === 2 * words.length && words.length <= 4 && { name: `search-words ${words.length}` }),
    text: selects.join(' union all '),
    values,
  });
  return rows.map(({ keys }) => {
    // Rows are counted with duplicates: those beyond the limit may hold further words.
    if (!keys || keys.length > MAX_ROWS) return null;
    const distinct = [...new Set(keys)];
    return distinct.length > MAX_KEYS ? null : distinct;
  });
}

/** Returns the trigrams of a word, by which the dictionary is searched; the word itself if it has at most three letters. */
function gramsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length <= 3) return [word];
  return [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))];
}

/** Selects the tickets with a word: in a message, in the ticket's own search text, or as its number. */
function candidatesOf({ keys, number }: QueryWord, bind: Bind): string {
  const selects: string[] = [];
  if (keys!.length > 0) {
    const matches = `search_keys(workspace_id, search_text) && ${bind(keys)}::bigint[]`;
    selects.push(
      `select ticket_id as id from ticket_messages where ${matches}`,
      `select id from tickets where ${matches}`,
    );
  }
  if (number) selects.push(`select id from tickets where workspace_id = $1 and number = ${bind(number)}`);
  return `(${selects.join(' union ')})`;
}

/** Returns the condition that a ticket has the word. The scalar subquery keeps the planner from joining all messages. */
function containsCondition({ word, number }: QueryWord, bind: Bind): string {
  const pattern = bind(`%${escapeLike(word)}%`);
  return `(${number ? `t.number = ${bind(number)} or ` : ''}t.search_text like ${pattern} or coalesce((
    select true from ticket_messages m where m.ticket_id = t.id and m.search_text like ${pattern} limit 1), false))`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
