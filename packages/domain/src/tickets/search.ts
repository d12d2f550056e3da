import { idOf } from '@firmdesk/contract';
import type { Services } from '../platform/services.ts';
import type { Bind } from './filters.ts';
import { distinctWords, fold } from './search-text.ts';
import {
  estimateMessages,
  estimateWords,
  type WordStatistics,
  wordStatistics,
} from './search-word-statistics.ts';

/** A word that stands inside more of the dictionary's words than this is common, whatever they are. */
const MAX_KEYS = 500;
/** Rows of the dictionary that are read for a word: writers that add a new word at the same time each add a row. */
const MAX_ROWS = 2 * MAX_KEYS;
/** Looking at the messages of one ticket costs about as much as fetching this many by their words. */
const LOOK_COST = 4;

const TicketId = idOf('ticket');
const TraderId = idOf('user');
const NUMBER = /^[0-9a-z]{6}$/;

/** What `q` asks for (contract §4.7): one ticket, one trader's, or words; null for nothing. */
export type Query = { ticket: string } | { trader: string } | { words: string[] };

export function parseQuery(q: string | undefined): Query | null {
  const text = q?.trim() ?? '';
  if (TicketId.safeParse(text).success) return { ticket: text };
  if (TraderId.safeParse(text).success) return { trader: text };
  const words = distinctWords(fold(text));
  return words.length > 0 ? { words } : null;
}

/** How the tickets with all words are found. */
export interface SearchPlan {
  /** Selects the `id` of every ticket that may match, and few others; null: look at the firm's tickets in their order. */
  hits: string | null;
  /** What is still to be asked of `tickets t`. */
  conditions: string[];
}

/** A word of the query, and what the dictionary says of it. */
interface SoughtWord {
  word: string;
  /** The keys of the words that it stands inside; null for too many. */
  keys: string[] | null;
  /** The number that it may be. */
  number: string | null;
  /** In how many messages it stands, roughly. */
  messages: number;
}

/**
 * Chooses the way by how common the words are: rare ones are fetched by their keys, and for common ones it is faster to go
 * through the tickets in their order and look, since a page is soon full. Null when nothing can match.
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
  if (texts.length === 0) return { hits: null, conditions };

  const statistics = await wordStatistics(services);
  const found = await findKeys(services, statistics, search.workspaceId, texts);
  const sought: SoughtWord[] = texts.map((word, i) => ({
    word,
    keys: found[i]!,
    number: NUMBER.test(word) ? word.toUpperCase() : null,
    messages: found[i] ? estimateMessages(statistics, found[i]) : Number.POSITIVE_INFINITY,
  }));
  if (sought.some(({ keys, number }) => keys?.length === 0 && number === null)) return null;

  const rarest = Math.min(...sought.map(({ messages }) => messages));
  const shareOfTickets = sought.reduce(
    (share, { messages }) => share * Math.min(1, messages / Math.max(1, statistics.tickets)),
    1,
  );
  const looks = Math.min(statistics.tickets, search.limit / shareOfTickets);
  const isWalk = rarest > LOOK_COST * looks || rarest === Number.POSITIVE_INFINITY;
  // Beside a rare word, one that is not much more common is fetched as well; looking for it in each hit would cost more.
  const isFetched = ({ messages }: SoughtWord) => !isWalk && messages <= 100 + 4 * LOOK_COST * rarest;
  return {
    hits: isWalk
      ? null
      : sought
          .filter(isFetched)
          .map((word) => hitsOf(word, bind))
          .join(' intersect '),
    conditions: [
      ...conditions,
      ...sought.filter((word) => !isFetched(word)).map((word) => lookFor(word, bind)),
    ],
  };
}

/** For each word the keys of the dictionary's words that it stands inside; null for more than {@link MAX_KEYS}. */
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
  const { rows } = await searchPool.query<{ keys: string[] | null }>({
    // Whatever the words are, the plan is the same.
    ...(values.length === 2 * words.length && words.length <= 4 && { name: `search-words ${words.length}` }),
    text: selects.join(' union all '),
    values,
  });
  return rows.map(({ keys }) => {
    // Counted before the duplicates are removed: what the limit cut off may be any number of other words.
    if (!keys || keys.length > MAX_ROWS) return null;
    const distinct = [...new Set(keys)];
    return distinct.length > MAX_KEYS ? null : distinct;
  });
}

/** What a word is looked up by in the dictionary: all its threes of letters, or itself when it has no more. */
function gramsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length <= 3) return [word];
  return [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))];
}

/** The tickets that a word stands in: in a message, among the ticket's own words, or as its number. */
function hitsOf({ keys, number }: SoughtWord, bind: Bind): string {
  const selects: string[] = [];
  if (keys!.length > 0) {
    const sought = `search_keys(workspace_id, search_text) && ${bind(keys)}::bigint[]`;
    selects.push(
      `select ticket_id as id from ticket_messages where ${sought}`,
      `select id from tickets where ${sought}`,
    );
  }
  if (number) selects.push(`select id from tickets where workspace_id = $1 and number = ${bind(number)}`);
  return `(${selects.join(' union ')})`;
}

/** The same, asked of one ticket. The inner select is made so that the planner cannot turn it into one over all messages. */
function lookFor({ word, number }: SoughtWord, bind: Bind): string {
  const pattern = bind(`%${escapeLike(word)}%`);
  return `(${number ? `t.number = ${bind(number)} or ` : ''}t.search_text like ${pattern} or coalesce((
    select true from ticket_messages m where m.ticket_id = t.id and m.search_text like ${pattern} limit 1), false))`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
