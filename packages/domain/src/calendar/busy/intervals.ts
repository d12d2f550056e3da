/** A half-open range of instants, in epoch ms. */
export interface Interval {
  start: number;
  end: number;
}

/** Returns intervals that cover the same time, sorted, with a gap between any two. */
export function joined(intervals: readonly Interval[]): Interval[] {
  const result: Interval[] = [];
  for (const { start, end } of intervals.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}
