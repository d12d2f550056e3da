import { cpus, totalmem } from 'node:os';

/** A measured ratio or value with its goal: `<= 1.5`, `>= 0.8`, or null without a goal. */
export interface Figure {
  name: string;
  value: number;
  goal: string | null;
  holds: boolean | null;
}

/** The result of a benchmark. `raw` contains every sample, with units in the names. */
export interface BenchReport {
  bench: string;
  figures: Figure[];
  raw: unknown;
}

/** Returns a figure, rounded to four digits. The goal is checked with the exact value. */
export function figure(name: string, value: number, goal: string | null = null): Figure {
  const rounded = Number(value.toPrecision(4));
  if (goal === null) return { name, value: rounded, goal, holds: null };
  const [operator, bound] = goal.split(' ') as ['<=' | '>=', string];
  return {
    name,
    value: rounded,
    goal,
    holds: operator === '<=' ? value <= Number(bound) : value >= Number(bound),
  };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Returns the value below which the share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** Prints progress on stderr; stdout is for data. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Returns the machine on which the benchmark runs. */
export function machine() {
  const [cpu] = cpus();
  return {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}
