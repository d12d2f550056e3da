import { describe, expect, test } from 'vitest';
import { RecurrenceError } from './errors.ts';
import { expand, nextAfter } from './expand.ts';
import type { Series } from './series.ts';
import { spanOf } from './span.ts';
import { at, formatInstant, NINE_TO_TEN, shown, starts, windowOf } from './testing/expansion.ts';

describe('the table of RFC 4791 §9.9', () => {
  const hour: Series = { start: at('2026-03-02T09:00Z'), end: at('2026-03-02T10:00Z'), zone: 'UTC' };
  const instantaneous: Series = { start: at('2026-03-02T09:00Z'), zone: 'UTC' };
  const day: Series = { start: '2026-03-02', zone: 'UTC', allDay: true };

  test.each([
    ['ends when the window begins', hour, '10:00', '11:00', 0],
    ['runs into the window', hour, '09:59', '11:00', 1],
    ['runs out of the window', hour, '08:00', '09:01', 1],
    ['starts when the window ends', hour, '08:00', '09:00', 0],
    ['contains the window', hour, '09:20', '09:30', 1],
    ['has no length, at the start of the window', instantaneous, '09:00', '10:00', 1],
    ['has no length, inside the window', instantaneous, '08:00', '10:00', 1],
    ['has no length, at the end of the window', instantaneous, '08:00', '09:00', 0],
    ['is all-day without an end, and lasts its day', day, '23:59', '23:59:30', 1],
  ])('an occurrence %s', (_, series, from, until, count) => {
    expect(starts(series, `2026-03-02T${from}Z`, `2026-03-02T${until}Z`)).toHaveLength(count);
  });

  test('an all-day occurrence overlaps the windows of its days in its zone', () => {
    const series: Series = { ...day, zone: 'Asia/Tokyo', end: '2026-03-04' };
    expect(shown(series, '2026-03-01T14:00Z', '2026-03-01T15:00Z')).toEqual([]);
    expect(shown(series, '2026-03-01T14:00Z', '2026-03-01T15:01Z')).toEqual([
      '2026-03-01T15:00Z/2026-03-03T15:00Z',
    ]);
    expect(shown(series, '2026-03-03T14:59Z', '2026-03-03T16:00Z')).toHaveLength(1);
    expect(shown(series, '2026-03-03T15:00Z', '2026-03-03T16:00Z')).toEqual([]);
  });

  test('an all-day occurrence that ends on its first day lasts that day', () => {
    expect(shown({ ...day, end: '2026-03-02' }, '2026-03-01', '2026-03-09')).toEqual([
      '2026-03-02T00:00Z/2026-03-03T00:00Z',
    ]);
  });

  test('an occurrence of a rule is found by an end in the window', () => {
    const series: Series = {
      start: '2026-01-01T21:00:00',
      end: '2026-01-04T03:00:00',
      zone: 'UTC',
      rule: 'FREQ=WEEKLY',
    };
    expect(starts(series, '2026-01-11T02:00Z', '2026-01-11T02:01Z')).toEqual(['2026-01-08T21:00Z']);
    expect(starts(series, '2026-01-11T03:00Z', '2026-01-11T03:01Z')).toEqual([]);
  });
});

describe('wall clocks', () => {
  test('an occurrence keeps its wall times when the clocks change', () => {
    expect(shown(NINE_TO_TEN, '2026-03-07T00:00Z', '2026-03-09T00:00Z')).toEqual([
      '2026-03-07T14:00Z/2026-03-07T15:00Z',
      '2026-03-08T13:00Z/2026-03-08T14:00Z',
    ]);
  });

  test('an occurrence during the change ends at the same wall time', () => {
    const night: Series = { ...NINE_TO_TEN, start: '2026-03-02T22:00:00', end: '2026-03-03T06:00:00' };
    expect(shown(night, '2026-03-08T00:00Z', '2026-03-08T20:00Z')).toEqual([
      '2026-03-08T03:00Z/2026-03-08T10:00Z',
    ]);
  });

  test('an occurrence that starts in a gap moves forward, and its end only moves if it is not after the start', () => {
    const inGap = (end: string): Series => ({
      ...NINE_TO_TEN,
      start: '2026-03-07T02:30:00',
      end: `2026-03-07T${end}:00`,
    });
    const day = ['2026-03-08T05:00Z', '2026-03-09T04:00Z'] as const;
    expect(shown(inGap('06:00'), ...day)).toEqual(['2026-03-08T07:30Z/2026-03-08T10:00Z']);
    expect(shown(inGap('02:45'), ...day)).toEqual(['2026-03-08T07:30Z/2026-03-08T07:45Z']);
    expect(shown(inGap('03:30'), ...day)).toEqual(['2026-03-08T07:30Z/2026-03-08T08:30Z']);
    expect(shown(inGap('02:30'), ...day)).toEqual(['2026-03-08T07:30Z/2026-03-08T07:30Z']);
  });

  test('two wall times that a gap turns into one instant are one occurrence', () => {
    const hourly: Series = {
      start: '2026-03-08T00:30:00',
      zone: 'America/New_York',
      rule: 'FREQ=HOURLY;COUNT=5',
    };
    expect(starts(hourly, '2026-03-08T00:00Z', '2026-03-09T00:00Z')).toEqual([
      '2026-03-08T05:30Z',
      '2026-03-08T06:30Z',
      '2026-03-08T07:30Z',
      '2026-03-08T08:30Z',
    ]);
  });

  test('a day that a zone skipped has no all-day occurrence', () => {
    const daily: Series = { start: '2011-12-28', zone: 'Pacific/Apia', allDay: true, rule: 'FREQ=DAILY' };
    expect(shown(daily, '2011-12-29T10:00Z', '2011-12-31T10:00Z')).toEqual([
      '2011-12-29T10:00Z/2011-12-30T10:00Z',
      '2011-12-30T10:00Z/2011-12-31T10:00Z',
    ]);
  });

  test('a first occurrence given as instants in a repeated hour keeps these instants', () => {
    const series: Series = {
      start: at('2026-11-01T06:15Z'),
      end: at('2026-11-01T06:45Z'),
      zone: 'America/New_York',
      rule: 'FREQ=DAILY',
    };
    expect(shown(series, '2026-11-01T00:00Z', '2026-11-03T00:00Z')).toEqual([
      '2026-11-01T06:15Z/2026-11-01T06:45Z',
      '2026-11-02T06:15Z/2026-11-02T06:45Z',
    ]);
  });

  test('the elapsed time is the length of an occurrence across the repeated hour', () => {
    const series: Series = {
      start: at('2026-11-01T05:45Z'),
      end: at('2026-11-01T06:15Z'),
      zone: 'America/New_York',
      rule: 'FREQ=DAILY',
    };
    expect(shown(series, '2026-11-01T00:00Z', '2026-11-02T07:00Z')).toEqual([
      '2026-11-01T05:45Z/2026-11-01T06:15Z',
      '2026-11-02T06:45Z/2026-11-02T07:15Z',
    ]);
  });

  test('keeps the milliseconds of the start', () => {
    const series: Series = { start: '2026-03-02T09:00:00.250', zone: 'UTC', rule: 'FREQ=DAILY;BYHOUR=7' };
    expect(expand(series, windowOf('2026-03-03', '2026-03-04')).occurrences[0]?.start).toBe(
      at('2026-03-03T07:00:00.250Z'),
    );
  });
});

describe('limit', () => {
  test('keeps the first occurrences and sets truncated', () => {
    const { occurrences, truncated } = expand(NINE_TO_TEN, windowOf('2026-03-01', '2026-06-01'), {
      limit: 3,
    });
    expect([occurrences.map(({ start }) => formatInstant(start)), truncated]).toEqual([
      ['2026-03-02T14:00Z', '2026-03-03T14:00Z', '2026-03-04T14:00Z'],
      true,
    ]);
    expect(expand(NINE_TO_TEN, windowOf('2026-03-01', '2026-03-05'), { limit: 3 }).truncated).toBe(false);
  });
});

describe('invalid input', () => {
  const reason = (call: () => unknown) => {
    try {
      call();
      return null;
    } catch (error) {
      return error instanceof RecurrenceError ? error.reason : String(error);
    }
  };
  const bounds = windowOf('2026-01-01', '2026-02-01');

  test.each([
    ['unknown-zone', { zone: 'Mars/Olympus' }],
    ['invalid-time', { start: '2026-02-30T09:00:00' }],
    ['invalid-time', { start: '2026-03-02' }],
    ['invalid-time', { start: Number.NaN }],
    ['invalid-time', { allDay: true }],
    ['invalid-time', { exdates: ['yesterday'] }],
    ['end-before-start', { end: '2026-03-02T08:59:59' }],
    ['end-before-start', { start: at('2026-11-01T06:15Z'), end: at('2026-11-01T05:45Z') }],
    ['until-form', { rule: 'FREQ=DAILY;UNTIL=20300101T000000' }],
    ['forbidden', { rule: 'FREQ=HOURLY', allDay: true, start: '2026-03-02', end: null }],
    ['too-fine', { rule: 'FREQ=MINUTELY' }],
  ])('%s: %j', (expected, change) => {
    const series = { ...NINE_TO_TEN, ...change } as Series;
    expect(reason(() => expand(series, bounds))).toBe(expected);
    if (!('exdates' in change)) {
      expect(reason(() => spanOf(series))).toBe(expected);
      expect(reason(() => nextAfter(series, 0))).toBe(expected);
    }
  });

  test.each([
    [{ from: 1, until: 1 }, {}],
    [{ from: 2, until: 1 }, {}],
    [{ from: Number.NaN, until: 1 }, {}],
    [{ from: 0, until: Number.POSITIVE_INFINITY }, {}],
    [{ from: 0, until: 1 }, { limit: 0 }],
    [{ from: 0, until: 1 }, { limit: 1.5 }],
    [{ from: 0, until: 1 }, { limit: 100_001 }],
  ])('window %j, options %j', (bad, options) => {
    expect(reason(() => expand(NINE_TO_TEN, bad, options))).toBe('invalid-window');
  });
});
