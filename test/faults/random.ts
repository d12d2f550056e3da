/** Random numbers determined by a seed. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns a number from `low` to `high`. */
  between(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

/** Mulberry32, which is good enough to choose times. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]) => items[Math.floor(next() * items.length)]!;
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick,
    shuffled(items) {
      const left = [...items];
      return items.map(() => left.splice(Math.floor(next() * left.length), 1)[0]!);
    },
  };
}
