import { randomBytes } from 'node:crypto';
import type { Retention } from '../database/retention.ts';
import { allFirms } from '../distribution/all-firms.ts';
import { DAY_MS } from '../process/clock.ts';
import type { Services } from '../services.ts';
import { decodePostings } from './postings.ts';
import type { SearchIndex } from './search-index.ts';
import { containing } from './search-text.ts';

/** The number of words that a run checks, and that it checks of one firm. */
const WORDS_PER_RUN = 4_000;
const WORDS_PER_FIRM = 500;
/** A word with more postings is certainly used, and checking it would take long. */
const MAX_POSTINGS = 50;

/** How the words of an index are used. */
export interface WordUse {
  /** The kind of rows, for reports. */
  kind: string;
  index: SearchIndex;
  /** The condition that a text of the record with the number `used.number` in the firm `$1` contains the pattern `used.pattern`. */
  isInTexts: string;
}

interface WordRow {
  key: string;
  word: string;
  numbers: Buffer | null;
}

/** Returns the columns of a word `w` of the firm `$1`, with its postings. */
function wordColumns({ numbers, postings }: SearchIndex): string {
  return `w.key::text, w.word, (select string_agg(p.${numbers}, ''::bytea) from ${postings} p
    where p.workspace_id = $1 and p.key = w.key) as numbers`;
}

/** Returns the keys of the words that no text of their records contains. Words that are pending will be added again. */
async function findUnused(
  { pool }: Services,
  { isInTexts }: WordUse,
  workspaceId: number,
  words: WordRow[],
): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    `select w.key::text from jsonb_to_recordset($2::jsonb) as w (key bigint, pattern text, numbers integer[])
     where not exists (
       select from (select unnest(w.numbers) as number, w.pattern) as used where ${isInTexts})`,
    [
      workspaceId,
      JSON.stringify(
        words.map(({ key, word, numbers }) => ({
          key,
          pattern: containing(word),
          numbers: decodePostings(numbers ?? Buffer.alloc(0)),
        })),
      ),
    ],
  );
  return rows.map(({ key }) => key);
}

/** Marks unused words among those that follow a random key, in random firms. Over time this checks all words. */
async function markUnused(services: Services, use: WordUse): Promise<void> {
  const { index } = use;
  const { pool, clock } = services;
  const firms = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('search')}
      select workspace_id from ${index.progress} where ${isAmong('workspace_id')} order by random() limit $1`,
    values: [WORDS_PER_RUN],
  });
  let left = WORDS_PER_RUN;
  for (const { workspace_id } of firms) {
    if (left <= 0) return;
    const { rows: words } = await pool.query<WordRow>(
      `(select ${wordColumns(index)} from ${index.words} w
        where workspace_id = $1 and key >= $2 and postings <= $4 and unused_since is null
        order by w.key limit $3)
       union all
       (select ${wordColumns(index)} from ${index.words} w
        where workspace_id = $1 and key < $2 and postings <= $4 and unused_since is null
        order by w.key limit $3)
       limit $3`,
      [
        workspace_id,
        randomBytes(8).readBigInt64BE().toString(),
        Math.min(left, WORDS_PER_FIRM),
        MAX_POSTINGS,
      ],
    );
    // A firm takes one statement, which is counted as several words.
    left -= Math.max(words.length, 20);
    const unused = await findUnused(services, use, workspace_id, words);
    if (unused.length === 0) continue;
    await pool.query(
      `update ${index.words} set unused_since = $3 where workspace_id = $1 and key = any($2::bigint[])`,
      [workspace_id, unused, clock.now().toISOString()],
    );
  }
}

/** Deletes marked words of one firm. A word that is used after all is unmarked instead. Returns how many were checked. */
async function pruneUnused(services: Services, use: WordUse, before: Date, limit: number): Promise<number> {
  const { index } = use;
  const { pool } = services;
  const firms = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('search')}
      select workspace_id from ${index.words} where unused_since < $1 and ${isAmong('workspace_id')} limit 1`,
    values: [before.toISOString()],
  });
  if (!firms[0]) return 0;
  const { workspace_id } = firms[0];
  const { rows: words } = await pool.query<WordRow>(
    `select ${wordColumns(index)} from ${index.words} w where workspace_id = $1 and unused_since < $2
     order by unused_since limit $3`,
    [workspace_id, before.toISOString(), limit],
  );
  const unused = new Set(await findUnused(services, use, workspace_id, words));
  // A text that was indexed meanwhile has removed the mark.
  await pool.query(
    `delete from ${index.words} where workspace_id = $1 and unused_since < $2 and key = any($3::bigint[])`,
    [workspace_id, before.toISOString(), [...unused]],
  );
  await pool.query(
    `update ${index.words} set unused_since = null where workspace_id = $1 and key = any($2::bigint[])`,
    [workspace_id, words.filter(({ key }) => !unused.has(key)).map(({ key }) => key)],
  );
  return words.length;
}

/** Returns the retention of a search dictionary: words that no text contains any more are deleted. */
export function wordRetention(use: WordUse): Retention {
  return {
    kind: use.kind,
    keptMs: DAY_MS,
    since: 'since no text contains it',
    oldest: (isAmong) =>
      `select min(unused_since) as at from ${use.index.words} where unused_since is not null and ${isAmong('workspace_id')}`,
    mark: (services) => markUnused(services, use),
    prune: (services, before, limit) => pruneUnused(services, use, before, limit),
  };
}
