/*
 * Durations are counted in buckets, so that those of any days can be added up. A bucket is a minute wide, and from 10 minutes on a tenth
 * of its durations.
 */

/** The longest duration in minutes that has a bucket of its own; longer ones are in the last bucket. */
const MAX_MINUTES = 366 * 1_440;

/** The upper ends of the buckets, in minutes. A duration is in the first bucket whose end it does not exceed. */
export const bucketEnds: readonly number[] = (() => {
  const ends = [1];
  while (ends.at(-1)! < MAX_MINUTES) ends.push(Math.ceil(ends.at(-1)! * 1.1));
  return ends;
})();

/** Counts as the database stores them: a bucket, then how many are in it. Buckets can repeat. */
export type Pairs = readonly number[];

/** Returns the bucket of a duration. */
export function bucketOf(ms: number): number {
  const minutes = ms / 60_000;
  let [low, high] = [0, bucketEnds.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bucketEnds[middle]! < minutes) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the sum of counts, ordered by bucket. */
export function countsOf(pairs: Pairs): Map<number, number> {
  const counts = new Map<number, number>();
  for (let i = 0; i < pairs.length; i += 2)
    counts.set(pairs[i]!, (counts.get(pairs[i]!) ?? 0) + pairs[i + 1]!);
  return new Map([...counts].sort(([a], [b]) => a - b));
}

/** How many minutes at most a share of the durations took. Null without durations. */
export function quantile(pairs: Pairs, share: number): number | null {
  const counts = countsOf(pairs);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of counts) {
    seen += count;
    if (seen >= share * total) return bucketEnds[bucket]!;
  }
  return null;
}

/** Returns the numbers of lists. */
export function numbersIn(lists: readonly (string | null)[]): number[] {
  return lists.flatMap((list) => (list === null ? [] : (JSON.parse(`[${list}]`) as number[])));
}

/** Returns how many scores of satisfaction are 1, 2, 3, 4 and 5. */
export function scoresIn(lists: readonly (string | null)[]): number[] {
  const counts = countsOf(numbersIn(lists));
  return [1, 2, 3, 4, 5].map((score) => counts.get(score) ?? 0);
}

/** Returns the median and the 90th percentile of durations. */
export function durationsIn(lists: readonly (string | null)[]) {
  const pairs = numbersIn(lists);
  const count = [...countsOf(pairs).values()].reduce((sum, each) => sum + each, 0);
  return { count, median: quantile(pairs, 0.5), p90: quantile(pairs, 0.9) };
}
