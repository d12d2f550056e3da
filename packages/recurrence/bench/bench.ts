import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { expand, formatLocal } from '../src/index.ts';
import {
  type BenchSeries,
  type BenchWindow,
  type Engine,
  optionalEngines,
  ours,
  oursUncached,
  rruleTemporal,
} from './engines.ts';

/**
 * `node bench/bench.ts [--json]`: expands the rules of cases/, as zoned series that started ten years ago, in windows of 31
 * and 92 days, and compares the rates with those of other libraries.
 */

export interface Figure {
  name: string;
  value: number;
  goal: string;
  holds: boolean;
}
export interface BenchReport {
  bench: string;
  machine: string;
  figures: Figure[];
  raw: unknown;
}

interface Case {
  tzid: string | null;
  dtstart: string;
  all_day: boolean;
  rrule: string;
  rdate?: string[];
  exdate?: string[];
  window: { from: string; until: string };
  expected: string[];
  disputed?: boolean;
  alternatives?: Record<string, string[]>;
  tags?: string[];
}

const DAY = 86_400_000;
const ROUNDS = 7;
const START = '2016-03-04T09:00:00';
const FROM = Date.parse('2026-03-01T00:00:00Z');

export async function bench(print: (line: string) => void): Promise<BenchReport> {
  const cases = (
    JSON.parse(readFileSync(new URL('../cases/recurrence-cases.json', import.meta.url), 'utf8'))
      .cases as Case[]
  ).filter(({ disputed, tags }) => !disputed && !tags?.includes('finer-than-hourly'));
  const correct = cases.filter(isCorrect).length;
  const figures: Figure[] = [
    { name: 'correct cases', value: correct, goal: `= ${cases.length}`, holds: correct === cases.length },
  ];
  const raw: Record<string, unknown> = {};
  const others = Object.entries(await optionalEngines());
  for (const [name, prepare] of others) if (!prepare) print(`Skipped ${name}: it is not installed`);

  const unbounded = seriesOf(cases, (rule) => !/COUNT|UNTIL/.test(rule));
  const withCount = seriesOf(cases, (rule) => /COUNT=\d{1,3}(;|$)/.test(rule));
  for (const days of [31, 92]) {
    const window = { from: FROM, until: FROM + days * DAY };
    for (const [kind, series, goal] of [
      ['unbounded', unbounded, 30],
      ['COUNT', withCount, 0],
    ] as const) {
      const rates = compare(series, window);
      raw[`${kind}, ${days} days`] = rates;
      const ratio = rates.ours / rates.rruleTemporal;
      if (goal)
        figures.push({
          name: `times rrule-temporal, ${days} days`,
          value: ratio,
          goal: `>= ${goal}`,
          holds: ratio >= goal,
        });
      print(`${kind} rules, ${series.length} series, ${days} days`.padEnd(44) + line(rates, ratio));
    }
    // These libraries iterate from the start of a series. One measurement with a sample is enough for them.
    const sample = unbounded.filter((_, index) => index % 40 === 0);
    for (const [name, prepare] of others) {
      if (!prepare) continue;
      const [rate, own] = [
        rateOf(prepare(sample), sample.length, window, 1),
        rateOf(ours(sample), sample.length, window, 200),
      ];
      raw[`${name}, ${days} days`] = { rate, ours: own };
      print(
        `${name}, a sample of ${sample.length} series, ${days} days`.padEnd(44) +
          `${rate.toFixed(1)}/s, ours ${Math.round(own)}/s`,
      );
    }
  }
  const cpu = cpus();
  return {
    bench: 'recurrence',
    machine: `${cpu[0]?.model ?? 'unknown'} × ${cpu.length}, Node ${process.version}`,
    figures,
    raw,
  };
}

interface Rates {
  ours: number;
  uncached: number;
  rruleTemporal: number;
}

/** Returns series per second: medians of rounds in which the engines alternate, after one warm-up round. */
function compare(series: readonly BenchSeries[], window: BenchWindow): Rates {
  const engines = {
    ours: ours(series),
    uncached: oursUncached(series),
    rruleTemporal: rruleTemporal(series),
  };
  const rounds: Rates[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const rates = {
      ours: rateOf(engines.ours, series.length, window, 30),
      uncached: rateOf(engines.uncached, series.length, window, 10),
      rruleTemporal: rateOf(engines.rruleTemporal, series.length, window, 1),
    };
    if (round > 0) rounds.push(rates);
  }
  const median = (of: (rates: Rates) => number) =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  return {
    ours: median((rates) => rates.ours),
    uncached: median((rates) => rates.uncached),
    rruleTemporal: median((rates) => rates.rruleTemporal),
  };
}

function rateOf(engine: Engine, series: number, window: BenchWindow, passes: number): number {
  const began = process.hrtime.bigint();
  for (let pass = 0; pass < passes; pass++)
    for (let index = 0; index < series; index++) engine(index, window);
  return (passes * series) / (Number(process.hrtime.bigint() - began) / 1e9);
}

function seriesOf(cases: readonly Case[], takes: (rule: string) => boolean): BenchSeries[] {
  const found = new Map<string, BenchSeries>();
  for (const { tzid, rrule } of cases) {
    if (tzid && tzid !== 'UTC' && rrule && takes(rrule))
      found.set(tzid + rrule, { start: START, zone: tzid, rule: rrule });
  }
  return [...found.values()];
}

function isCorrect(given: Case): boolean {
  const instant = (text: string) => Date.parse(text.length === 10 || text.endsWith('Z') ? text : `${text}Z`);
  const from = instant(given.window.from);
  const { occurrences } = expand(
    {
      start: given.dtstart,
      zone: given.tzid,
      allDay: given.all_day,
      rule: given.rrule || null,
      rdates: given.rdate ?? [],
      exdates: given.exdate ?? [],
    },
    { from, until: instant(given.window.until) },
  );
  const got = occurrences.filter(({ start }) => start >= from).map(({ start }) => formatLocal(start));
  const want = given.alternatives?.['dtstart-first'] ?? given.expected;
  return got.join() === want.map((text) => formatLocal(instant(text))).join();
}

function line(rates: Rates, ratio: number): string {
  const perSecond = (rate: number) => `${Math.round(rate)}/s`;
  return `ours ${perSecond(rates.ours)}, uncached ${perSecond(rates.uncached)}, rrule-temporal ${perSecond(rates.rruleTemporal)}: ${ratio.toFixed(1)} times as fast as rrule-temporal`;
}

if (import.meta.main) {
  const json = process.argv.includes('--json');
  const report = await bench((text) => void process.stderr.write(`${text}\n`));
  if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else console.table(report.figures);
}
