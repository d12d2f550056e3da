import type { Services } from '../kernel/services.ts';

const KEPT_MS = 60_000;

/** What the planner knows of the words in messages, of all firms together; what it was never told is rare. */
export interface WordStatistics {
  tickets: number;
  messages: number;
  /** The share of messages that hold a common word, by its key. */
  shares: ReadonlyMap<string, number>;
  /** The share of a word that is not among the common ones, at most. */
  rareShare: number;
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
    tickets: number;
    messages: number;
    keys: string[] | null;
    shares: number[] | null;
  }>(`
    select t.reltuples as tickets, m.reltuples as messages,
      s.most_common_elems::text::bigint[] as keys, s.most_common_elem_freqs as shares
    from pg_class t, pg_class m
    left join pg_stats s on s.schemaname = current_schema and s.tablename = 'ticket_messages_search'
    where t.oid = 'tickets'::regclass and m.oid = 'ticket_messages'::regclass`);
  const { tickets, messages, keys, shares } = rows[0]!;
  const common = new Map(keys?.map((key, i) => [key, shares![i]!]));
  return {
    // Never counted is -1.
    tickets: Math.max(0, tickets),
    messages: Math.max(0, messages),
    shares: common,
    rareShare: common.size > 0 ? Math.min(...common.values()) : 0,
  };
}

/** In how many messages one of the words stands, roughly. */
export function estimateMessages(
  { messages, shares, rareShare }: WordStatistics,
  keys: readonly string[],
): number {
  const share = keys.reduce((sum, key) => sum + (shares.get(key) ?? rareShare / 2), 0);
  return messages * Math.min(1, share);
}
