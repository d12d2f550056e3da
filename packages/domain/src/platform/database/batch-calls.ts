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
  lookAll: (items: Item[]) => Promise<Result[]>,
): (key: string, item: Item) => Promise<Result> {
  let pending = new Map<string, Lookup<Item, Result>>();

  async function run(lookups: readonly Lookup<Item, Result>[]): Promise<void> {
    try {
      const results = await lookAll(lookups.map(({ item }) => item));
      for (const [i, { calls }] of lookups.entries()) for (const { resolve } of calls) resolve(results[i]!);
    } catch (error) {
      for (const { calls } of lookups) for (const { reject } of calls) reject(error);
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      if (pending.size === 0) {
        // Runs after the handlers of all requests that have arrived by now.
        setImmediate(() => {
          const lookups = [...pending.values()];
          pending = new Map();
          void run(lookups);
        });
      }
      const lookup = pending.get(key) ?? { item, calls: [] };
      lookup.calls.push({ resolve, reject });
      pending.set(key, lookup);
    });
}
