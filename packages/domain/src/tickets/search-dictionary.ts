import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';

/** Beyond these limits a query word is common: the postings of the dictionary words that contain it are not read. */
export interface PostingLimits {
  /** The number of dictionary words. */
  words: number;
  /** The number of postings. */
  postings: number;
  /** The number of postings as a share of the firm's tickets; the higher of both counts. */
  share: number;
}

export const postingLimits: PostingLimits = { words: 20_000, postings: 5_000, share: 0.25 };

/** The tickets that contain a query word, according to the postings. */
export interface WordPostings {
  /** The number of tickets that are numbered. */
  tickets: number;
  /** The postings of all dictionary words that contain the query word; null if there are too many to read. */
  postings: Uint8Array[] | null;
}

interface Row {
  tickets: number;
  tails: Buffer | null;
  segments: Buffer | null;
  is_read: boolean;
}

/** Reads the postings of query words within limits; all of them if there are none. */
export async function readPostings(
  { searchPool }: Pick<Services, 'searchPool'>,
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
  const selects = words.map((word, i) => {
    values.push(
      gramsOf(word).map((gram) => `${workspaceId}:${gram}`),
      `%${escapeLike(word)}%`,
    );
    return selectPostings(i, `$${values.length - 1}`, `$${values.length}`);
  });
  const { rows } = await queryPool<Row>(searchPool, {
    // The plan does not depend on the words.
    ...(words.length <= 4 && { name: `search-postings ${words.length}` }),
    text: `${selects.join(' union all ')} order by position`,
    values,
  });
  return rows.map(({ tickets, tails, segments, is_read }) => ({
    tickets,
    postings: is_read ? [tails, segments].filter((bytes) => bytes !== null) : null,
  }));
}

/** The number of dictionary words that are read first: those of a common query word are enough to exceed the limit. */
const FIRST_WORDS = 1_000;

/**
 * Returns the statement for one word. The subquery with `offset 0` is read by index for each word, whatever the planner
 * estimates.
 */
function selectPostings(position: number, grams: string, pattern: string): string {
  const isPart = `workspace_id = $1 and search_grams(workspace_id, word) @> ${grams}::text[] and word like ${pattern}`;
  // Without limits the comparisons are null.
  return `(
    with maximum as materialized (
      select coalesce(max(tickets), 0) as tickets, greatest($3::float8, $4::float8 * max(tickets)) as postings
      from search_progress where workspace_id = $1),
    common as materialized (
      select coalesce(sum(postings) > (select postings from maximum), false) as is_common
      from (select postings from search_words where ${isPart} limit ${FIRST_WORDS}) w),
    matched as materialized (
      select key, postings, tail, segments from search_words
      where ${isPart} and not (select is_common from common) limit $2::bigint),
    result as (
      select not (select is_common from common) and coalesce(
        count(*) < $2 and coalesce(sum(postings), 0) <= (select postings from maximum), true) as is_read
      from matched)
    select ${position} as position, (select tickets from maximum) as tickets, is_read,
      case when is_read then (select string_agg(tail, ''::bytea) from matched) end as tails,
      case when is_read then (
        select string_agg(p.tickets, ''::bytea) from matched k cross join lateral (
          select tickets from search_postings where workspace_id = $1 and key = k.key offset 0) p
        where k.segments > 0) end as segments
    from result)`;
}

/** Returns the trigrams of a word, by which the dictionary is searched; the word itself if it has at most three letters. */
function gramsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length <= 3) return [word];
  return [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))];
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
