import type { Services } from '../services.ts';
import type { SearchIndex } from './search-index.ts';
import { containing } from './search-text.ts';

/** Beyond these limits a query word is common: the postings of the dictionary words that contain it are not read. */
export interface PostingLimits {
  /** The number of dictionary words. */
  words: number;
  /** The number of postings. */
  postings: number;
  /** The number of postings as a share of the firm's records; the higher of both counts. */
  share: number;
}

export const postingLimits: PostingLimits = { words: 20_000, postings: 5_000, share: 1 };

/** The records that contain a query word, according to the postings. */
export interface WordPostings {
  /** The number of records that are numbered. */
  records: number;
  /** The postings of all dictionary words that contain the query word; null if there are too many to read. */
  postings: Uint8Array | null;
}

interface Row {
  records: number;
  postings: Buffer | null;
  is_read: boolean;
}

/** Reads the postings of query words within limits; all of them if there are none. */
export async function readPostings(
  { searchPool }: Pick<Services, 'searchPool'>,
  index: SearchIndex,
  workspaceId: number,
  words: readonly string[],
  limits: PostingLimits | null,
): Promise<WordPostings[]> {
  const values: unknown[] = [
    workspaceId,
    limits === null ? null : limits.words + 1,
    limits?.postings,
    limits?.share,
  ];
  const conditions = words.map((word) => {
    const grams = values.push(gramsOf(word).map((gram) => `${workspaceId}:${gram}`));
    const pattern = values.push(containing(word));
    return `workspace_id = $1 and search_grams(workspace_id, word) @> $${grams}::text[] and word like $${pattern}`;
  });
  const { rows } = await searchPool.query<Row>({
    // The plan does not depend on the words.
    ...(words.length <= 4 && { name: `${index.postings} ${words.length}` }),
    text: selectPostings(index, conditions),
    values,
  });
  return rows.map(({ records, postings, is_read }) => ({
    records,
    postings: is_read ? (postings ?? new Uint8Array()) : null,
  }));
}

/** To compare the texts of one record takes as long as to read this many postings. */
const POSTINGS_PER_RECORD = 1_000;

/**
 * Returns the statement for words, each as a condition on the dictionary. Without limits the comparisons with them are null. The planner
 * reads postings by their keys, because it does not know how many there are.
 */
function selectPostings(index: SearchIndex, conditions: readonly string[]): string {
  const words = conditions.map(
    (isPart, i) => `
    matched${i} as materialized (select key, postings from ${index.words} where ${isPart} limit $2::bigint)`,
  );
  const counts = conditions.map(
    (_, i) => `
      select coalesce(count(*) < $2 and coalesce(sum(postings), 0) <= (select postings from maximum), true) as is_readable,
        coalesce(sum(postings), 0) as postings, ${i} as position
      from matched${i}`,
  );
  const lists = conditions.map(
    (_, i) => `
      when ${i} then (
        select string_agg(p.${index.numbers}, ''::bytea) from ${index.postings} p
        where p.workspace_id = $1 and p.key = any(array(select key from matched${i})))`,
  );
  return `
    with maximum as materialized (
      select coalesce(max(${index.numbers}), 0) as records, greatest($3::float8, $4::float8 * max(${index.numbers})) as postings
      from ${index.progress} where workspace_id = $1), ${words.join(',')},
    counts as materialized (${counts.join(' union all ')}),
    result as materialized (
      select position, is_readable and coalesce(
        postings <= greatest($3, ${POSTINGS_PER_RECORD} * (select min(postings) from counts where is_readable)),
        true) as is_read
      from counts)
    select (select records from maximum) as records, is_read,
      case when is_read then case position ${lists.join('')} end end as postings
    from result order by position`;
}

/** Returns the trigrams of a word, by which the dictionary is searched; the word itself if it has at most three letters. */
function gramsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length <= 3) return [word];
  return [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))];
}
