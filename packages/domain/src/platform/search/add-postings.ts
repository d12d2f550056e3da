import { hash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import type { OperationContext } from '../database/context.ts';
import { decodePostings, encodePostings } from './postings.ts';
import type { SearchIndex } from './search-index.ts';

/** The last list of a word gets its next numbers until its encoding exceeds this size. */
export const MAX_OPEN_BYTES = 512;

interface WordRow {
  key: string;
  /** The number of postings that the dictionary states. See {@link countedPostings}. */
  postings: number;
  /** Whether the retention job has found no text that contains the word. */
  unused: boolean;
  /** The last list of postings. */
  segment: number | null;
  numbers: Buffer | null;
}

/** The length of the words in one statement, which adds all trigrams of new words to the index. */
const MAX_CHARACTERS = 8_000;

/** Adds the numbers of records to the postings of words. The caller has locked the firm's postings. */
export async function addPostings(
  ctx: OperationContext,
  index: SearchIndex,
  workspaceId: number,
  numbersOf: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  let words: string[] = [];
  let characters = 0;
  for (const word of numbersOf.keys()) {
    if (characters + word.length > MAX_CHARACTERS) {
      await addWords(ctx, index, workspaceId, words, numbersOf);
      words = [];
      characters = 0;
    }
    words.push(word);
    characters += word.length;
  }
  await addWords(ctx, index, workspaceId, words, numbersOf);
}

async function addWords(
  ctx: OperationContext,
  index: SearchIndex,
  workspaceId: number,
  added: readonly string[],
  numbersOf: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const wordOf = new Map(added.map((word) => [wordKey(word), word]));
  const found = await run<WordRow>(
    ctx,
    `select w.key::text, w.postings, w.unused_since is not null as unused, p.segment, p.numbers
     from ${index.words} w left join lateral (
       select segment, ${index.numbers} as numbers from ${index.postings}
       where workspace_id = $1 and key = w.key order by segment desc limit 1) p on true
     where w.workspace_id = $1 and w.key = any($2::bigint[])`,
    [workspaceId, [...wordOf.keys()]],
  );
  const rows = new Map(found.map((row) => [row.key, row]));
  const words: { key: string; postings: number }[] = [];
  const lists: { key: string; segment: number; numbers: Buffer }[] = [];
  for (const [key, word] of wordOf) {
    const row = rows.get(key);
    const list = nextList(row, numbersOf.get(word)!);
    lists.push({ key, ...list });
    const postings = countedPostings(row, list);
    if (!row || row.unused || postings !== row.postings) words.push({ key, postings });
  }
  await run(
    ctx,
    `insert into ${index.words} (workspace_id, key, word, postings)
     select $1, * from unnest($2::bigint[], $3::text[], $4::integer[])
     on conflict (workspace_id, key) do update set postings = excluded.postings, unused_since = null`,
    [
      workspaceId,
      words.map(({ key }) => key),
      words.map(({ key }) => wordOf.get(key)),
      words.map(({ postings }) => postings),
    ],
  );
  await run(
    ctx,
    `insert into ${index.postings} (workspace_id, key, segment, ${index.numbers})
     select $1, * from unnest($2::bigint[], $3::integer[], $4::bytea[])
     on conflict (workspace_id, key, segment) do update set ${index.numbers} = excluded.${index.numbers}`,
    [
      workspaceId,
      lists.map(({ key }) => key),
      lists.map(({ segment }) => segment),
      lists.map(({ numbers }) => numbers),
    ],
  );
}

interface List {
  segment: number;
  numbers: Buffer;
  count: number;
}

/** Returns the last list of a word with more numbers, or a new one if the last one is full. */
function nextList(row: WordRow | undefined, added: readonly number[]): List {
  const isOpen = row?.numbers && row.numbers.length <= MAX_OPEN_BYTES;
  const all = union(isOpen ? decodePostings(row.numbers!) : [], added);
  const segment = row ? (row.segment ?? -1) + (isOpen ? 0 : 1) : 0;
  return { segment, numbers: encodePostings(all), count: all.length };
}

/**
 * Returns the number of postings that the dictionary states. A change of the dictionary's row adds all trigrams of the word to the index
 * again, so the first list is counted when its number has doubled, and each list when it is full.
 */
function countedPostings(row: WordRow | undefined, { segment, numbers, count }: List): number {
  if (!row) return count;
  const isFull = numbers.length > MAX_OPEN_BYTES;
  if (segment === 0) return isFull || count >= 2 * row.postings ? count : row.postings;
  return isFull ? row.postings + count : row.postings;
}

/** Returns the numbers of both lists, ascending and distinct. The first list is. */
function union(ascending: readonly number[], others: readonly number[]): number[] {
  const numbers = [...ascending, ...others];
  const isAscending = numbers.every((number, i) => i === 0 || numbers[i - 1]! < number);
  return isAscending ? numbers : [...new Set(numbers)].sort((a, b) => a - b);
}

/** Returns the key of a word in its firm's dictionary: 64 bits of a hash, as PostgreSQL's `bigint`. */
export function wordKey(word: string): string {
  return hash('sha256', word, 'buffer').readBigInt64BE().toString();
}

/** Runs a statement in the transaction of the context. */
export async function run<Row>(
  { db }: OperationContext,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>);
  return rows;
}
