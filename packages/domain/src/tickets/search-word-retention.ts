import { randomBytes } from 'node:crypto';
import { DAY_MS } from '../platform/clock.ts';
import { queryPool } from '../platform/query-pool.ts';
import type { Retention } from '../platform/retention.ts';
import type { Services } from '../platform/services.ts';
import { wordStatistics } from './search-word-statistics.ts';

/** The number of words that a run checks, and that a statement checks. */
const WORDS_PER_RUN = 4_000;
const BATCH = 500;

/** The condition that a text contains the word with this key. */
const isUsed = (key: string) => `(
  exists (select from ticket_messages m where search_keys(m.workspace_id, m.search_text) @> array[${key}])
  or exists (select from tickets t where search_keys(t.workspace_id, t.search_text) @> array[${key}]))`;

/** Marks unused words among those that follow a random key. Over time this checks all words. */
const MARK = `
  with part as materialized (
    (select ctid, key from search_words where unused_since is null and key >= $1 order by key limit $2)
    union all
    (select ctid, key from search_words where unused_since is null and key < $1 order by key limit $2)
    limit $2)
  update search_words w set unused_since = $3 from part p
  where w.ctid = p.ctid and w.unused_since is null and p.key <> all($4::bigint[]) and not ${isUsed('p.key')}`;

/** Deletes marked words. A word that is used again is unmarked instead, unless a new row of it has been added. */
const PRUNE = `
  with due as materialized (
    select s.ctid, s.key, ${isUsed('s.key')} as is_used from search_words s
    where s.unused_since < $1 order by s.unused_since limit $2 for update of s skip locked),
  judged as materialized (
    select d.ctid, d.is_used and not exists (
      select from search_words o where o.key = d.key and o.unused_since is null) as is_kept
    from due d),
  unmarked as (update search_words w set unused_since = null from judged j where w.ctid = j.ctid and j.is_kept),
  deleted as (delete from search_words w using judged j where w.ctid = j.ctid and not j.is_kept returning 1)
  select count(*)::int as count from deleted`;

async function markUnused(services: Services): Promise<void> {
  const { pool, clock } = services;
  // Common words are certainly used, and checking them would take long.
  const common = [...(await wordStatistics(services)).messageShares.keys()];
  for (let checked = 0; checked < WORDS_PER_RUN; checked += BATCH) {
    const from = randomBytes(8).readBigInt64BE().toString();
    await queryPool(pool, MARK, [from, BATCH, clock.now().toISOString(), common]);
  }
}

/** Deletes words of the search dictionary that no text contains any more (migration 0019). */
export const wordRetention: Retention = {
  kind: 'search_words',
  keptMs: DAY_MS,
  since: 'since no text contains it',
  oldest: 'select min(unused_since) as at from search_words where unused_since is not null',
  mark: markUnused,
  async prune({ pool }, before, limit) {
    const { rows } = await queryPool<{ count: number }>(pool, PRUNE, [before.toISOString(), limit]);
    return rows[0]!.count;
  },
};
