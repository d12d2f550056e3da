import fc from 'fast-check';
import { parseLocal } from '../civil.ts';
import { parseRule } from '../parse-rule.ts';
import { FREQUENCIES, type Frequency, formatRule, WEEKDAYS } from '../rule.ts';

const signed = (most: number) => fc.integer({ min: -most, max: most }).filter((number) => number !== 0);
const list = <T>(item: fc.Arbitrary<T>, maxLength = 4) => fc.uniqueArray(item, { minLength: 1, maxLength });
const sometimes = <T>(weight: number, item: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(null) }, { weight, arbitrary: item });

/** A rule that RFC 5545 allows, of any frequency, without COUNT and UNTIL. */
export const ruleText: fc.Arbitrary<string> = fc
  .constantFrom(...FREQUENCIES)
  .chain((freq) => fc.record(partsOf(freq)).map((parts) => textOf(freq, parts)))
  .filter((text) => {
    try {
      parseRule(text);
      return true;
    } catch {
      return false;
    }
  })
  .map((text) => formatRule(parseRule(text)));

function partsOf(freq: Frequency) {
  const numbered = freq === 'MONTHLY' ? 5 : freq === 'YEARLY' ? 53 : 0;
  const plain = fc.constantFrom(...WEEKDAYS);
  const day = numbered
    ? fc.oneof(
        plain,
        fc.tuple(signed(numbered), plain).map(([nth, weekday]) => `${nth}${weekday}`),
      )
    : plain;
  return {
    INTERVAL: sometimes(5, fc.integer({ min: 1, max: freq === 'HOURLY' ? 30 : 7 })),
    BYMONTH: sometimes(3, list(fc.integer({ min: 1, max: 12 }))),
    BYWEEKNO: sometimes(freq === 'YEARLY' ? 3 : 0, list(signed(53))),
    BYYEARDAY: sometimes(freq === 'YEARLY' || freq === 'HOURLY' ? 2 : 0, list(signed(366), 12)),
    BYMONTHDAY: sometimes(freq === 'WEEKLY' ? 0 : 3, list(signed(31), 8)),
    BYDAY: sometimes(5, list(day)),
    BYHOUR: sometimes(2, list(fc.integer({ min: 0, max: 23 }))),
    BYMINUTE: sometimes(1, list(fc.integer({ min: 0, max: 59 }), 2)),
    BYSECOND: sometimes(1, list(fc.integer({ min: 0, max: 59 }), 2)),
    BYSETPOS: sometimes(2, list(fc.oneof(signed(4), signed(20)), 3)),
    WKST: sometimes(4, plain),
  };
}

function textOf(freq: string, parts: Record<string, unknown>): string {
  const given = Object.entries(parts).filter(([, value]) => value !== null);
  return [`FREQ=${freq}`, ...given.map(([name, value]) => `${name}=${String(value)}`)].join(';');
}

/** A start between 1996 and 2028, in whole seconds, as a wall time in ms. */
export const startWall: fc.Arbitrary<number> = fc
  .integer({ min: parseLocal('1996-01-01') / 1000, max: parseLocal('2028-12-31') / 1000 })
  .map((seconds) => seconds * 1000);

export const zoneName: fc.Arbitrary<string> = fc.constantFrom(
  'America/New_York',
  'Europe/Berlin',
  'Europe/Dublin',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Tehran',
  'Asia/Kolkata',
  'UTC',
);
