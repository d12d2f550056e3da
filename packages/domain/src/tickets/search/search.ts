import { foldSearchText, idOf } from '@firmdesk/contract';
import type { Bind } from '../../platform/search/search-index.ts';
import {
  type PendingRow,
  type PlannedList,
  type SearchLimits,
  type SearchPlan,
  searchRecords,
  type WordSearch,
} from '../../platform/search/search-records.ts';
import { containing, distinctWords } from '../../platform/search/search-text.ts';
import type { Services } from '../../platform/services.ts';
import { ticketIndex } from './ticket-index.ts';

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

/** Finds the tickets that contain all words. A word that begins with `#` is the beginning of the number. */
export async function search<Row>(
  services: Pick<Services, 'searchPool'>,
  { workspaceId, words, rows }: WordSearch,
  list: PlannedList<Row>,
  limits?: SearchLimits,
): Promise<Row[]> {
  const numbers = words.filter((word) => word.startsWith('#')).map((word) => word.slice(1));
  if (numbers.includes('')) return [];
  const hasNumber = (bind: Bind) =>
    numbers.map((number) => `t.number like ${bind(containing(number.toUpperCase()).slice(1))}`);
  const texts = words.filter((word) => !word.startsWith('#'));
  if (texts.length === 0)
    return list.readPage({ candidates: hasNumber, texts: () => [], limit: null, isListed: false });
  const numbered = (plan: SearchPlan): SearchPlan => ({
    ...plan,
    candidates: (bind) => [...hasNumber(bind), ...plan.candidates(bind)],
  });
  return searchRecords<Row>(
    services,
    {
      index: ticketIndex,
      readPending: (words) => readPending(services, workspaceId, words),
      containsWord,
    },
    { workspaceId, words: texts, rows },
    {
      readPage: (plan) => list.readPage(numbered(plan)),
      exceedsLimit: (plan) => list.exceedsLimit(numbered(plan)),
    },
    limits,
  );
}

/** Returns the tickets that contain a word in a text that is not in the postings yet, or have a word as their number. */
async function readPending(
  { searchPool }: Pick<Services, 'searchPool'>,
  workspaceId: number,
  words: readonly string[],
): Promise<PendingRow[]> {
  const { rows } = await searchPool.query<PendingRow>({
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
      words.map(containing),
      words.map((word) => (NUMBER.test(word) ? word.toUpperCase() : '')),
    ],
  });
  return rows;
}

/** Returns the condition that a ticket has the word. With the subquery it is evaluated after the candidates are sorted. */
function containsWord(word: string, bind: Bind): string {
  const pattern = bind(containing(word));
  const number = NUMBER.test(word) ? `t.number = ${bind(word.toUpperCase())} or ` : '';
  return `(${number}t.search_text like ${pattern} or coalesce((
    select true from ticket_messages m
    where m.workspace_id = $1 and m.ticket_id = t.id and m.search_text like ${pattern} limit 1), false))`;
}
