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

/**
 * Returns the statement for one word. The subqueries with `offset 0` are read by index for each word, whatever the planner
 * estimates.
 */
function selectPostings(position: number, grams: string, pattern: string): string {
  return `(
    with matched as materialized (
      select key, postings, tail, segments from search_words
      where workspace_id = $1 and search_grams(workspace_id, word) @> ${grams}::text[] and word like ${pattern}
      limit $2::bigint),
    size as (
      select coalesce((select tickets from search_progress where workspace_id = $1), 0) as tickets,
        $2::bigint is null or count(*) < $2 and coalesce(sum(postings), 0) <= greatest($3::float8, $4::float8 * (
          select tickets from search_progress where workspace_id = $1)) as is_read
      from matched)
    select ${position} as position, tickets, is_read,
      case when is_read then (select string_agg(tail, ''::bytea) from matched) end as tails,
      case when is_read then (
        select string_agg(p.tickets, ''::bytea) from matched k cross join lateral (
          select tickets from search_postings where workspace_id = $1 and key = k.key offset 0) p
        where k.segments > 0) end as segments
    from size)`;
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
