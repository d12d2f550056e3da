import { RRuleTemporal } from 'rrule-temporal';
import { expand, formatLocal, localToUtc, utcToLocal } from '../src/index.ts';

export interface BenchSeries {
  start: string;
  zone: string;
  rule: string;
}
export interface BenchWindow {
  from: number;
  until: number;
}

/** Counts the occurrences of a prepared series in a window. `index` is that of the series. */
export type Engine = (index: number, window: BenchWindow) => number;
type Prepare = (series: readonly BenchSeries[]) => Engine;

const basic = (wall: string) => wall.replace(/[-:]/g, '');

export const ours: Prepare = (series) => (index, window) => expand(series[index]!, window).occurrences.length;

/** The same without a cached plan: every call expands a series that starts a second later. */
export const oursUncached: Prepare = (series) => {
  let second = 0;
  const walls = series.map(({ start }) => Date.parse(`${start}Z`));
  return (index, window) => {
    second++;
    const start = formatLocal(walls[index]! + second * 1000);
    return expand({ ...series[index]!, start }, window).occurrences.length;
  };
};

/** Creates the rule objects beforehand, so that they can cache results between calls. */
export const rruleTemporal: Prepare = (series) => {
  const rules = series.map(
    ({ start, zone, rule }) =>
      new RRuleTemporal({ rruleString: `DTSTART;TZID=${zone}:${basic(start)}\nRRULE:${rule}` }),
  );
  return (index, { from, until }) =>
    rules[index]!.between(new Date(from), new Date(until - 1), true).map((at) => at.epochMilliseconds).length;
};

interface RRuleModule {
  rrulestr(text: string): { between(from: Date, until: Date, inclusive: boolean): Date[] };
}
interface IcalModule {
  Recur: {
    fromString(rule: string): { iterator(start: unknown): { next(): { toString(): string } | null } };
  };
  Time: { fromDateTimeString(text: string): unknown };
}

/** Returns the optional engines; null for one that is not installed. */
export async function optionalEngines(): Promise<Record<string, Prepare | null>> {
  const rrule = await installed<RRuleModule>('rrule');
  const ical = await installed<IcalModule>('ical.js');
  return {
    rrule:
      rrule &&
      ((series) => {
        const rules = series.map(({ start, zone, rule }) =>
          rrule.rrulestr(`DTSTART;TZID=${zone}:${basic(start)}\nRRULE:${rule}`),
        );
        return (index, { from, until }) =>
          rules[index]!.between(new Date(from), new Date(until - 1), true).length;
      }),
    'ical.js':
      ical &&
      ((series) =>
        (index, { from, until }) => {
          // ical.js needs a VTIMEZONE for each zone, so this iterates wall times and compares those.
          const { start, zone, rule } = series[index]!;
          const [first, last] = [utcToLocal(from, zone), utcToLocal(until, zone)];
          const iterator = ical.Recur.fromString(rule).iterator(ical.Time.fromDateTimeString(start));
          let count = 0;
          for (let next = iterator.next(); next; next = iterator.next()) {
            const wall = Date.parse(`${next}Z`);
            if (wall >= last) break;
            if (wall >= first && localToUtc(wall, zone) >= from) count++;
          }
          return count;
        }),
  };
}

async function installed<T>(name: string): Promise<T | null> {
  try {
    const module = await import(name);
    return (module.default ?? module) as T;
  } catch {
    return null;
  }
}
