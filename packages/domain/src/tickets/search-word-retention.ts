import { randomBytes } from 'node:crypto';
import { DAY_MS } from '../platform/clock.ts';
import type { Retention } from '../platform/retention.ts';
import type { Services } from '../platform/services.ts';
import { wordStatistics } from './search-word-statistics.ts';

/** Words that a run looks for, and of one statement. */
const LOOKED_AT = 4_000;
const BATCH = 500;

/** Whether a text has the word of this key. */
const isUsed = (key: string) => `(
  exists (select from ticket_messages m where search_keys(m.workspace_id, m.search_text) @> array[${key}])
  or exists (select from tickets t where search_keys(t.workspace_id, t.search_text) @> array[${key}]))`;

/** The dictionary from a random place on, in the order of its keys: in the long run every word is looked at. */
const MARK = `
  with part as materialized (
    (select ctid, key from search_words where unused_since is null and key >= $1 order by key limit $2)
    union all
    (select ctid, key from search_words where unused_since is null and key < $1 order by key limit $2)
    limit $2)
  update search_words w set unused_since = $3 from part p
  where w.ctid = p.ctid and w.unused_since is null and p.key <> all($4::bigint[]) and not ${isUsed('p.key')}`;

/** A word that is used after all stays, but for one that has been added anew. */
const PRUNE = `
  with due as materialized (
    select s.ctid, s.key, ${isUsed('s.key')} as is_used from search_words s
    where s.unused_since < $1 order by s.unused_since limit $2 for update of s skip locked),
  judged as materialized (
    select d.ctid, d.is_used and not exists (
      select from search_words o where o.key = d.key and o.unused_since is null) as stays
    from due d),
  kept as (update search_words w set unused_since = null from judged j where w.ctid = j.ctid and j.stays),
  gone as (delete from search_words w using judged j where w.ctid = j.ctid and not j.stays returning 1)
  select count(*)::int as count from gone`;

async function markUnused(services: Services): Promise<void> {
  const { pool, clock } = services;
  // A word of many texts is used, and looking them all up would take long.
  const common = [...(await wordStatistics(services)).messageShares.keys()];
  for (let looked = 0; looked < LOOKED_AT; looked += BATCH) {
    const from = randomBytes(8).readBigInt64BE().toString();
    await pool.query(MARK, [from, BATCH, clock.now().toISOString(), common]);
  }
}

/** Words of the search's dictionary that no text has any more (migration 0019). */
export const wordRetention: Retention = {
  kind: 'search_words',
  keptMs: DAY_MS,
  since: 'since no text has it',
  oldest: 'select min(unused_since) as at from search_words where unused_since is not null',
  mark: markUnused,
  async prune({ pool }, before, limit) {
    const { rows } = await pool.query<{ count: number }>(PRUNE, [before.toISOString(), limit]);
    return rows[0]!.count;
  },
};
