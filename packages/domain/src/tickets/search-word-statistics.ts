import type { Services } from '../platform/services.ts';

const KEPT_MS = 60_000;

/** What the planner knows of the words, of all firms together; what it was never told is rare. */
export interface WordStatistics {
  tickets: number;
  messages: number;
  words: number;
  /** The share of messages that hold a common word, by its key. */
  messageShares: ReadonlyMap<string, number>;
  /** The share of a word that is not among the common ones, at most. */
  rareShare: number;
  /** The share of the dictionary's words that hold a common gram, by the gram. */
  wordShares: ReadonlyMap<string, number>;
}

interface Kept {
  readAt: number;
  statistics: Promise<WordStatistics>;
}

const kept = new WeakMap<Services, Kept>();

/** Read once a minute: PostgreSQL itself renews them only as the tables grow (ANALYZE). */
export function wordStatistics(services: Services): Promise<WordStatistics> {
  const known = kept.get(services);
  const now = performance.now();
  if (known && now - known.readAt < KEPT_MS) return known.statistics;
  const statistics = readStatistics(services);
  kept.set(services, { readAt: now, statistics });
  // A database that is away now may answer later.
  statistics.catch(() => kept.delete(services));
  return statistics;
}

async function readStatistics({ pool }: Services): Promise<WordStatistics> {
  const { rows } = await pool.query<{
    name: string;
    rows: number;
    elements: string[] | null;
    shares: number[] | null;
  }>(`
    select i.relname as name, t.reltuples as rows,
      s.most_common_elems::text::text[] as elements, s.most_common_elem_freqs as shares
    from pg_class i
    join pg_index x on x.indexrelid = i.oid
    join pg_class t on t.oid = x.indrelid
    left join pg_stats s on s.schemaname = current_schema and s.tablename = i.relname
    where i.oid in ('tickets_search'::regclass, 'ticket_messages_search'::regclass, 'search_words_grams'::regclass)`);
  const of = (index: string) => {
    const { rows: count, elements, shares } = rows.find(({ name }) => name === index)!;
    // Never counted is -1.
    return {
      count: Math.max(0, count),
      shares: new Map(elements?.map((element, i) => [element, shares![i]!])),
    };
  };
  const messages = of('ticket_messages_search');
  const words = of('search_words_grams');
  return {
    tickets: of('tickets_search').count,
    messages: messages.count,
    words: words.count,
    messageShares: messages.shares,
    rareShare: messages.shares.size > 0 ? Math.min(...messages.shares.values()) : 0,
    wordShares: words.shares,
  };
}

/** In how many messages one of the words stands, roughly. */
export function estimateMessages(
  { messages, messageShares, rareShare }: WordStatistics,
  keys: readonly string[],
): number {
  const share = keys.reduce((sum, key) => sum + (messageShares.get(key) ?? rareShare / 2), 0);
  return messages * Math.min(1, share);
}

/** How many words of the dictionary hold the gram; 0 for one that is not common. */
export function estimateWords({ words, wordShares }: WordStatistics, gram: string): number {
  return words * (wordShares.get(gram) ?? 0);
}
