import { cpus, totalmem } from 'node:os';

/** One measured ratio or value, and what it must reach: `<= 1.5`, `>= 0.8`; null where nothing is promised. */
export interface Figure {
  name: string;
  value: number;
  goal: string | null;
  holds: boolean | null;
}

/** What a benchmark returns. `raw` holds every sample, with its unit in the name. */
export interface BenchReport {
  bench: string;
  figures: Figure[];
  raw: unknown;
}

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

/** Words for whoever waits; data goes to stdout. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

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
