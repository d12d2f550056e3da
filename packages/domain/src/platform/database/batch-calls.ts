import type { Pool } from 'pg';

/** A lookup and the calls that wait for it. */
interface Lookup<Item, Result> {
  item: Item;
  calls: { resolve(result: Result): void; reject(error: unknown): void }[];
}

/**
 * Returns a function that looks up one item. Calls that arrive together share one statement, and calls with the same key one
 * lookup: a round trip for each would cost more than the rest of a small call. `lookAll` returns the results in the order of
 * the items.
 */
export function batchCalls<Item, Result>(
  lookAll: (pool: Pool, items: Item[]) => Promise<Result[]>,
): (pool: Pool, key: string, item: Item) => Promise<Result> {
  const pending = new WeakMap<Pool, Map<string, Lookup<Item, Result>>>();

  async function run(pool: Pool, lookups: readonly Lookup<Item, Result>[]): Promise<void> {
    try {
      const results = await lookAll(
        pool,
        lookups.map(({ item }) => item),
      );
      for (const [i, { calls }] of lookups.entries()) for (const { resolve } of calls) resolve(results[i]!);
    } catch (error) {
      for (const { calls } of lookups) for (const { reject } of calls) reject(error);
    }
  }

  return (pool, key, item) =>
    new Promise((resolve, reject) => {
      const lookups = pending.get(pool) ?? new Map<string, Lookup<Item, Result>>();
      if (lookups.size === 0) {
        pending.set(pool, lookups);
        // Runs after the handlers of all requests that have arrived by now.
        setImmediate(() => {
          pending.delete(pool);
          void run(pool, [...lookups.values()]);
        });
      }
      const lookup = lookups.get(key) ?? { item, calls: [] };
      lookup.calls.push({ resolve, reject });
      lookups.set(key, lookup);
    });
}
