import { describe, expect, test } from 'vitest';
import { DAY, MAX_TIME, parseLocal } from './civil.ts';
import { expand, nextAfter } from './expand.ts';
import { parseRule, RULE_LIMITS } from './parse-rule.ts';
import { planOf } from './plan-cache.ts';
import type { Series } from './series.ts';
import { spanOf } from './span.ts';
import { limitWork } from './work.ts';

const FROM = '1900-01-01T09:00:00';
const start = parseLocal(FROM);

/** Returns the number of periods that a call visits with the plan of a rule. */
function stepsOf(rule: string, call: (series: Series) => void): number {
  const plan = planOf(parseRule(rule), start);
  const before = plan.steps;
  call({ start: FROM, zone: 'UTC', rule });
  return plan.steps - before;
}

const neverMatching = [
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1',
  'FREQ=YEARLY;BYWEEKNO=1;BYMONTH=6',
  'FREQ=MONTHLY;BYDAY=2TU;BYSETPOS=2',
  'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31',
  'FREQ=MONTHLY;BYDAY=53MO',
  'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=9',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
  'FREQ=DAILY;BYHOUR=3;BYSETPOS=2',
  'FREQ=HOURLY;INTERVAL=24;BYHOUR=4',
  'FREQ=HOURLY;INTERVAL=2;BYHOUR=0,2,4',
  'FREQ=HOURLY;INTERVAL=168;BYDAY=TU',
  'FREQ=HOURLY;BYYEARDAY=366;BYMONTHDAY=1',
];

describe('a rule that never matches again', () => {
  test.each(neverMatching)('%s: expanding a window far from the start visits only the window', (rule) => {
    const from = Date.parse('2900-01-01T00:00:00Z');
    const steps = stepsOf(rule, (series) => {
      expect(expand(series, { from, until: from + 92 * DAY }).occurrences).toEqual([]);
    });
    expect(steps).toBeLessThan(100);
  });

  test.each(neverMatching)('%s: nextAfter and spanOf end', (rule) => {
    const steps = stepsOf(rule, (series) => {
      expect(nextAfter(series, start + 1)).toBeNull();
      expect(spanOf(series)).toEqual({ start, end: start });
    });
    expect(steps).toBeLessThan(1_000_000);
  });

  test.each(neverMatching)('%s: the search for the last occurrence of a COUNT ends', (rule) => {
    const plan = planOf(parseRule(`${rule};COUNT=${RULE_LIMITS.count}`), start);
    expect(plan.times(start, MAX_TIME, 1)).toEqual([]);
    expect(plan.steps).toBeLessThan(1_500_000);
  });
});

describe('COUNT', () => {
  test.each([
    'FREQ=HOURLY',
    'FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,20,40',
    'FREQ=DAILY;INTERVAL=3;BYHOUR=9,17;BYSETPOS=-1',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR',
  ])('%s: finds the last of a million occurrences by arithmetic', (rule) => {
    const plan = planOf(parseRule(`${rule};COUNT=${RULE_LIMITS.count}`), start);
    expect(plan.steps).toBeLessThan(10);
  });

  test.each([
    'FREQ=HOURLY;BYDAY=MO',
    'FREQ=HOURLY;INTERVAL=8;BYHOUR=9,17;BYMINUTE=0,30',
    'FREQ=DAILY;BYDAY=MO,TU;BYHOUR=1,2,3,4',
    'FREQ=WEEKLY;BYMONTH=5;BYHOUR=1,2,3,4',
    'FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=1,2,3,4',
    'FREQ=YEARLY;BYDAY=1MO,-1FR,3SU;BYSETPOS=1,-1',
  ])('%s: counts by whole years', (rule) => {
    const plan = planOf(parseRule(`${rule};COUNT=${RULE_LIMITS.count}`), start);
    expect(plan.steps).toBeLessThan(30_000);
  });

  const irregular = [
    'FREQ=HOURLY;INTERVAL=5;BYDAY=MO',
    'FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU',
    'FREQ=MONTHLY;INTERVAL=5;BYDAY=1MO',
    'FREQ=YEARLY;BYWEEKNO=53',
  ];

  test.each(irregular)('%s: walks a limited number of periods, and only once', (rule) => {
    const counted = `${rule};COUNT=${RULE_LIMITS.count}`;
    const plan = planOf(parseRule(counted), start);
    expect(plan.steps).toBeLessThanOrEqual(RULE_LIMITS.countedPeriods + 64);
    const from = Date.parse('1990-01-01T00:00:00Z');
    const steps = stepsOf(counted, (series) => void expand(series, { from, until: from + 31 * DAY }));
    expect(steps).toBeLessThan(31 * 24);
  });
});

describe('a COUNT whose last occurrence is too far away', () => {
  const rule = 'FREQ=HOURLY;INTERVAL=5;BYDAY=MO';
  const from = Date.parse('2026-11-02T00:00:00Z');
  const week = (count: string) =>
    expand({ start: FROM, zone: 'UTC', rule: `${rule}${count}` }, { from, until: from + 7 * DAY });

  test('counts as endless', () => {
    expect(spanOf({ start: FROM, zone: 'UTC', rule: `${rule};COUNT=1000000` }).end).toBeNull();
    expect(week(';COUNT=1000000')).toEqual(week(''));
    expect(week('').occurrences).toHaveLength(5);
  });

  test('ends exactly if the walk reaches the last occurrence', () => {
    const { occurrences } = expand(
      { start: FROM, zone: 'UTC', rule: `${rule};COUNT=10000` },
      { from: Date.parse('1900-01-01T00:00:00Z'), until: from },
      { limit: 30_000 },
    );
    expect(occurrences).toHaveLength(10_000);
  });
});

describe('a dense rule', () => {
  const rule = `FREQ=DAILY;BYHOUR=${[...Array(24).keys()]};BYMINUTE=${[...Array(60).keys()]}`;

  test('is truncated at the limit in a window of any width', () => {
    const series: Series = { start: FROM, zone: 'America/New_York', rule };
    const plan = planOf(parseRule(rule), start);
    const before = plan.steps;
    const from = Date.parse('2000-01-01T00:00:00Z');
    const { occurrences, truncated } = expand(series, { from, until: from + 40_000 * DAY });
    expect([occurrences.length, truncated]).toEqual([10_000, true]);
    expect(plan.steps - before).toBeLessThan(40);
  });

  test('is rejected beyond 1,440 times a day', () => {
    expect(() => parseRule(`${rule};BYSECOND=0,30`)).toThrow('too many times');
  });
});

describe('the age of a series', () => {
  test.each([
    'FREQ=YEARLY;BYDAY=MO',
    'FREQ=MONTHLY;BYDAY=-1FR',
    'FREQ=WEEKLY;BYDAY=MO,WE',
    'FREQ=DAILY',
    'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR',
    'FREQ=HOURLY;INTERVAL=6',
    'FREQ=YEARLY;BYMONTH=11;BYDAY=1TU;BYSETPOS=1',
  ])('%s: a window after 7,000 years costs as much as the first one', (rule) => {
    const cost = (from: number) =>
      stepsOf(rule, (series) => void expand(series, { from, until: from + 92 * DAY }));
    expect(cost(Date.parse('8900-01-01T00:00:00Z'))).toBeLessThanOrEqual(
      cost(Date.parse('1901-01-01T00:00:00Z')) + 5,
    );
  });
});

describe('limitWork', () => {
  const window = { from: Date.parse('2026-11-01T00:00:00Z'), until: Date.parse('2026-12-01T00:00:00Z') };
  const tooMuch = expect.objectContaining({ reason: 'too-much-work' });
  const thrownBy = (run: () => unknown) => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };
  const daily = (overrides?: Series['overrides']): Series => ({
    start: '2016-01-01T09:00:00',
    zone: 'Europe/Berlin',
    rule: 'FREQ=DAILY',
    overrides,
  });
  const spentOn = (run: () => unknown) => {
    const budget = { steps: 10_000_000 };
    limitWork(budget, run);
    return 10_000_000 - budget.steps;
  };

  const hostile: [string, () => unknown][] = [
    [
      'a rule with a long walk',
      () => nextAfter({ start: FROM, zone: 'UTC', rule: 'FREQ=HOURLY;INTERVAL=168;BYDAY=TU' }, start + 1),
    ],
    [
      'a dense rule in a wide window',
      () =>
        expand(
          { start: FROM, zone: 'UTC', rule: 'FREQ=HOURLY' },
          { from: start, until: start + 9_000 * DAY },
        ),
    ],
    [
      'dates in years without a cached zone table',
      () =>
        expand(
          {
            ...daily(),
            zone: 'Pacific/Auckland',
            exdates: Array.from({ length: 200 }, (_, i) => `${2100 + 2 * i}-07-01T09:00:00`),
          },
          window,
        ),
    ],
  ];

  test.each(hostile)('stops %s', (_, run) => {
    expect(thrownBy(() => limitWork({ steps: 10_000 }, run))).toEqual(tooMuch);
  });

  test.each(hostile)('does not change later results after it stopped %s', (_, run) => {
    for (const steps of [0, 1, 7, 60, 500, 3_000]) thrownBy(() => limitWork({ steps }, run));
    const { occurrences } = expand(daily(), window);
    expect(occurrences).toHaveLength(30);
    expect(run()).toEqual(run());
  });

  test('is shared by all calls that use the same budget', () => {
    const one = spentOn(() => expand(daily(), window));
    expect(one).toBeGreaterThan(30);
    const budget = { steps: 2.5 * one };
    limitWork(budget, () => expand(daily(), window));
    limitWork(budget, () => expand(daily(), window));
    expect(budget.steps).toBe(one / 2);
    expect(thrownBy(() => limitWork(budget, () => expand(daily(), window)))).toEqual(tooMuch);
    expect(budget.steps).toBeLessThan(0);
  });

  test('still limits later calls after a call with an infinite budget', () => {
    limitWork({ steps: Number.POSITIVE_INFINITY }, () => expand(daily(), window));
    expect(thrownBy(() => limitWork({ steps: 10 }, () => expand(daily(), window)))).toEqual(tooMuch);
  });

  test('applies the tighter of two nested budgets, and counts in both', () => {
    const outer = { steps: 1_000 };
    const inner = { steps: 1_000_000 };
    const nested = () => limitWork(outer, () => limitWork(inner, hostile[0]![1]));
    expect(thrownBy(nested)).toEqual(tooMuch);
    expect(outer.steps).toBeLessThan(0);
    expect(inner.steps).toBeLessThan(1_000_000);
    expect(spentOn(() => expand(daily(), window))).toBeGreaterThan(0);
  });

  test('finds one of 5,000 THISANDFUTURE overrides by binary search', () => {
    const overrides = Array.from({ length: 5_000 }, (_, i) => ({
      recurrenceId: new Date(Date.parse('2016-01-01T09:00:00Z') + i * DAY).toISOString().slice(0, 19),
      thisAndFuture: true,
      start: new Date(Date.parse('2016-01-01T10:00:00Z') + i * DAY).toISOString().slice(0, 19),
    }));
    const series = daily(overrides);
    expect(expand(series, window).occurrences.map(({ override }) => override)).toEqual(
      overrides.filter(({ start }) => start.startsWith('2026-11')),
    );
    expect(spentOn(() => expand(series, window))).toBeLessThan(5_000 * 20);
  });
});

test('subtracts a step for each year in which a rule matches no day', () => {
  const never = { start: '2026-01-05T09:00:00', zone: 'UTC', rule: 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30' };
  const window = { from: Date.UTC(2026, 0), until: Date.UTC(9999, 0) };
  expect(() => limitWork({ steps: 5_000 }, () => expand(never, window))).toThrow(
    expect.objectContaining({ reason: 'too-much-work' }),
  );
  expect(limitWork({ steps: 20_000 }, () => expand(never, window)).occurrences).toHaveLength(1);
});
