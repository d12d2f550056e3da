import { randomBytes } from 'node:crypto';
import type { Retention } from '../../platform/database/retention.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import type { Services } from '../../platform/services.ts';
import { escapeLike } from './search-dictionary.ts';
import { decodePostings } from './search-postings.ts';

/** The number of words that a run checks, and that it checks of one firm. */
const WORDS_PER_RUN = 4_000;
const WORDS_PER_FIRM = 500;
/** A word with more postings is certainly used, and checking it would take long. */
const MAX_POSTINGS = 50;

interface WordRow {
  key: string;
  word: string;
  tickets: Buffer | null;
}

/** The postings of a word `w` of the firm `$1`. */
const TICKETS = `(select string_agg(p.tickets, ''::bytea) from search_postings p
  where p.workspace_id = $1 and p.key = w.key) as tickets`;

/** Returns the keys of the words that no text of their tickets contains. Words that are pending will be added again. */
async function findUnused({ pool }: Services, workspaceId: number, words: WordRow[]): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    `select key::text from jsonb_to_recordset($2::jsonb) as w (key bigint, pattern text, tickets integer[])
     where not exists (
       select from unnest(w.tickets) as ticket (search_number)
       cross join lateral (
         select id, search_text from tickets where workspace_id = $1 and search_number = ticket.search_number offset 0) t
       where t.search_text like w.pattern or exists (
         select from ticket_messages m
         where m.workspace_id = $1 and m.ticket_id = t.id and m.search_text like w.pattern))`,
    [
      workspaceId,
      JSON.stringify(
        words.map(({ key, word, tickets }) => ({
          key,
          pattern: `%${escapeLike(word)}%`,
          tickets: decodePostings(tickets ?? Buffer.alloc(0)),
        })),
      ),
    ],
  );
  return rows.map(({ key }) => key);
}

/** Marks unused words among those that follow a random key, in random firms. Over time this checks all words. */
async function markUnused(services: Services): Promise<void> {
  const { pool, clock } = services;
  const firms = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('search')}
      select workspace_id from search_progress where ${isAmong('workspace_id')} order by random() limit $1`,
    values: [WORDS_PER_RUN],
  });
  let left = WORDS_PER_RUN;
  for (const { workspace_id } of firms) {
    if (left <= 0) return;
    const { rows: words } = await pool.query<WordRow>(
      `(select key::text, word, ${TICKETS} from search_words w
        where workspace_id = $1 and key >= $2 and postings <= $4 and unused_since is null
        order by w.key limit $3)
       union all
       (select key::text, word, ${TICKETS} from search_words w
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
    const unused = await findUnused(services, workspace_id, words);
    if (unused.length === 0) continue;
    await pool.query(
      'update search_words set unused_since = $3 where workspace_id = $1 and key = any($2::bigint[])',
      [workspace_id, unused, clock.now().toISOString()],
    );
  }
}

/** Deletes marked words of one firm. A word that is used after all is unmarked instead. Returns how many were checked. */
async function pruneUnused(services: Services, before: Date, limit: number): Promise<number> {
  const { pool } = services;
  const firms = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('search')}
      select workspace_id from search_words where unused_since < $1 and ${isAmong('workspace_id')} limit 1`,
    values: [before.toISOString()],
  });
  if (!firms[0]) return 0;
  const { workspace_id } = firms[0];
  const { rows: words } = await pool.query<WordRow>(
    `select key::text, word, ${TICKETS} from search_words w where workspace_id = $1 and unused_since < $2
     order by unused_since limit $3`,
    [workspace_id, before.toISOString(), limit],
  );
  const unused = new Set(await findUnused(services, workspace_id, words));
  // A text that was indexed meanwhile has removed the mark.
  await pool.query(
    'delete from search_words where workspace_id = $1 and unused_since < $2 and key = any($3::bigint[])',
    [workspace_id, before.toISOString(), [...unused]],
  );
  await pool.query(
    'update search_words set unused_since = null where workspace_id = $1 and key = any($2::bigint[])',
    [workspace_id, words.filter(({ key }) => !unused.has(key)).map(({ key }) => key)],
  );
  return words.length;
}

/** Deletes words of the search dictionary that no text contains any more. */
export const wordRetention: Retention = {
  kind: 'search_words',
  keptMs: DAY_MS,
  since: 'since no text contains it',
  oldest: (isAmong) =>
    `select min(unused_since) as at from search_words where unused_since is not null and ${isAmong('workspace_id')}`,
  mark: markUnused,
  prune: pruneUnused,
};
