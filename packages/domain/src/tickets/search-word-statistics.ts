import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';

const CACHE_MS = 60_000;

/** PostgreSQL's statistics of the words in all firms. A word without statistics is rare. */
export interface WordStatistics {
  tickets: number;
  messages: number;
  words: number;
  /** The share of messages that contain a common word, by the word's key. */
  messageShares: ReadonlyMap<string, number>;
  /** The maximum share of a word that is not among the common ones. */
  rareShare: number;
  /** The share of dictionary words that contain a common trigram, by the trigram. */
  wordShares: ReadonlyMap<string, number>;
}

interface CachedStatistics {
  readAt: number;
  statistics: Promise<WordStatistics>;
}

const cache = new WeakMap<Services, CachedStatistics>();

/** Returns the statistics, at most a minute old. PostgreSQL itself updates them only as the tables grow (ANALYZE). */
export function wordStatistics(services: Services): Promise<WordStatistics> {
  const cached = cache.get(services);
  const now = performance.now();
  if (cached && now - cached.readAt < CACHE_MS) return cached.statistics;
  const statistics = readStatistics(services);
  cache.set(services, { readAt: now, statistics });
  // A failed read is not cached.
  statistics.catch(() => cache.delete(services));
  return statistics;
}

async function readStatistics({ pool }: Services): Promise<WordStatistics> {
  const { rows } = await queryPool<{
    name: string;
    rows: number;
    elements: string[] | null;
    shares: number[] | null;
  }>(
    pool,
    `
    select i.relname as name, t.reltuples as rows,
      s.most_common_elems::text::text[] as elements, s.most_common_elem_freqs as shares
    from pg_class i
    join pg_index x on x.indexrelid = i.oid
    join pg_class t on t.oid = x.indrelid
    left join pg_stats s on s.schemaname = current_schema and s.tablename = i.relname
    where i.oid in ('tickets_search'::regclass, 'ticket_messages_search'::regclass, 'search_words_grams'::regclass)`,
  );
  const statisticsOf = (index: string) => {
    const { rows: count, elements, shares } = rows.find(({ name }) => name === index)!;
    // `reltuples` is -1 before the first ANALYZE.
    return {
      count: Math.max(0, count),
      shares: new Map(elements?.map((element, i) => [element, shares![i]!])),
    };
  };
  const messages = statisticsOf('ticket_messages_search');
  const words = statisticsOf('search_words_grams');
  return {
    tickets: statisticsOf('tickets_search').count,
    messages: messages.count,
    words: words.count,
    messageShares: messages.shares,
    rareShare: messages.shares.size > 0 ? Math.min(...messages.shares.values()) : 0,
    wordShares: words.shares,
  };
}

/** Estimates how many messages contain any of the words. */
export function estimateMessages(
  { messages, messageShares, rareShare }: WordStatistics,
  keys: readonly string[],
): number {
  const share = keys.reduce((sum, key) => sum + (messageShares.get(key) ?? rareShare / 2), 0);
  return messages * Math.min(1, share);
}

/** Estimates how many dictionary words contain the trigram; 0 if it is not common. */
export function estimateWords({ words, wordShares }: WordStatistics, gram: string): number {
  return words * (wordShares.get(gram) ?? 0);
}
