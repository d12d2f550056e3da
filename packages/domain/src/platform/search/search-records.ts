import type { Services } from '../services.ts';
import { type PostingLimits, postingLimits, readPostings } from './dictionary.ts';
import { NumberSet } from './number-set.ts';
import type { Bind, SearchIndex } from './search-index.ts';

export interface SearchLimits extends PostingLimits {
  /** Up to this number, the records that may match are listed in the statement, so that the planner knows how many there are. */
  listed: number;
  /** The number of records whose texts are compared with common words before all postings are read. */
  compared: number;
}

export const searchLimits: SearchLimits = { ...postingLimits, listed: 20_000, compared: 3_000 };

/** A kind of records that is searched: the rows of a table `t` with `id` and `search_number`. */
export interface SearchedRecords {
  index: SearchIndex;
  /** Returns the records that contain a word in a text that is not in the postings yet. */
  readPending(words: readonly string[]): Promise<PendingRow[]>;
  /** Returns the condition that a record `t` has the word. */
  containsWord(word: string, bind: Bind): string;
}

/** A text that is not in the postings yet. */
export interface PendingRow {
  id: string;
  /** The number of its record in postings; null if it is not indexed at all. */
  number: number | null;
  /** Whether the text contains each word. */
  found: boolean[];
}

/** How to find the records that contain all words. */
export interface SearchPlan {
  /** Returns conditions on `t` that select the records that may match. */
  candidates(bind: Bind): string[];
  /** Returns conditions on `t` that read texts. They are evaluated in the list's order, until the page is full. */
  texts(bind: Bind): string[];
  /** The number of candidates to compare; null for all. */
  limit: number | null;
  /** Whether the candidates are listed by their numbers, so that an index finds them. */
  isListed: boolean;
}

/** Reads the list with the plan of a search. */
export interface PlannedList<Row> {
  /** Returns a page of the records that match. */
  readPage(plan: SearchPlan): Promise<Row[]>;
  /** Returns whether more records may match than the plan's limit. */
  exceedsLimit(plan: SearchPlan): Promise<boolean>;
}

export interface WordSearch {
  workspaceId: number;
  words: readonly string[];
  /** The number of rows of a page. */
  rows: number;
}

/**
 * Finds the records that contain all words. Words that are not common are looked up in the postings, so it is known how many records have
 * them all. Common ones are compared with the texts of the records in the list's order, which soon fills a page. If it does not, their
 * postings are read as well.
 */
export async function searchRecords<Row>(
  services: Pick<Services, 'searchPool'>,
  records: SearchedRecords,
  { workspaceId, words, rows: wanted }: WordSearch,
  list: PlannedList<Row>,
  limits: SearchLimits = searchLimits,
): Promise<Row[]> {
  const pending = pendingRecords(await records.readPending(words));
  for (const postingLimits of [limits, null]) {
    const found = await findRecords(services, records.index, { workspaceId, words, pending }, postingLimits);
    if (found.size === 0) return [];
    const limit = found.common.length > 0 && found.size > limits.compared ? limits.compared : null;
    const plan: SearchPlan = {
      candidates: (bind) => isCandidate(found, limits, bind),
      // Common words are compared first: nearly all candidates contain the other words.
      texts: (bind) =>
        [...new Set([...found.common, ...words])].map((word) => records.containsWord(word, bind)),
      limit,
      isListed: found.numbered !== null && found.size <= limits.listed,
    };
    const rows = await list.readPage(plan);
    if (limit === null || rows.length >= wanted || !(await list.exceedsLimit(plan))) return rows;
  }
  throw new Error('The second round reads all postings.');
}

/** A record with pending texts. */
interface PendingRecord {
  id: string;
  number: number | null;
  /** The positions of the words that it contains in these texts. */
  words: Set<number>;
}

function pendingRecords(rows: readonly PendingRow[]): PendingRecord[] {
  const records = new Map<string, PendingRecord>();
  for (const { id, number, found } of rows) {
    const record = records.get(id) ?? { id, number, words: new Set() };
    records.set(id, record);
    for (const [i, isFound] of found.entries()) if (isFound) record.words.add(i);
  }
  return [...records.values()];
}

/** The records that may match. */
interface FoundRecords {
  /** Those that have all words that are not common; null if all words are common. */
  numbered: NumberSet | null;
  /** Those without a number that have all words. */
  ids: string[];
  /** The words whose postings are not read. */
  common: string[];
  /** The maximum number of records. */
  size: number;
}

async function findRecords(
  services: Pick<Services, 'searchPool'>,
  index: SearchIndex,
  { workspaceId, words, pending }: Omit<WordSearch, 'rows'> & { pending: readonly PendingRecord[] },
  limits: PostingLimits | null,
): Promise<FoundRecords> {
  const read = await readPostings(services, index, workspaceId, words, limits);
  const { records } = read[0]!;
  let numbered: NumberSet | null = null;
  for (const [i, { postings }] of read.entries()) {
    if (!postings) continue;
    const having = new NumberSet(records);
    having.addPostings(postings);
    for (const record of pending) {
      if (record.number !== null && record.words.has(i)) having.add(record.number);
    }
    if (numbered) numbered.intersect(having);
    else numbered = having;
  }
  // All texts of a record without a number are pending.
  const ids = pending
    .filter((record) => record.number === null && record.words.size === words.length)
    .map(({ id }) => id);
  return {
    numbered,
    ids,
    common: words.filter((_, i) => read[i]!.postings === null),
    size: (numbered ? numbered.count : records) + ids.length,
  };
}

/** Returns the conditions that a record is one of those found. */
function isCandidate({ numbered, ids, size }: FoundRecords, { listed }: SearchLimits, bind: Bind): string[] {
  if (!numbered) return [];
  const conditions = ids.length > 0 ? [`t.id = any(${bind(ids)}::text[])`] : [];
  if (size <= listed) {
    conditions.unshift(`t.search_number = any(${bind(numbered.numbers())}::integer[])`);
  } else {
    // The planner does not know how many records are in a bitmap. It assumes 0.5 % for each value that an expression is compared with.
    const size = numbered.bytes.length * 8;
    const values = Array.from({ length: Math.ceil((200 * numbered.count) / size) }, (_, i) => i + 1);
    conditions.unshift(
      `(case when t.search_number < ${size} then get_bit(${bind(numbered.bytes)}::bytea, t.search_number) else 0 end) = any(${bind(values)}::integer[])`,
    );
  }
  return [`(${conditions.join(' or ')})`];
}
