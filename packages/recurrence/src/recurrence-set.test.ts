import { describe, expect, test } from 'vitest';
import { expand, nextAfter } from './expand.ts';
import type { Series } from './series.ts';
import { spanOf } from './span.ts';
import { at, NINE_TO_TEN, shown, starts, windowOf } from './testing/expansion.ts';

describe('exception dates, extra dates and overrides', () => {
  const plain = (more: Partial<Series>): Series => ({ ...NINE_TO_TEN, zone: 'UTC', ...more });
  const week = ['2026-03-02', '2026-03-07'] as const;
  const short = (list: string[]) => list.map((start) => start.slice(8, 13));

  test('EXDATE removes recurrence ids, given as instants or wall times, after COUNT has counted them', () => {
    const series = plain({
      rule: 'FREQ=DAILY;COUNT=4',
      exdates: ['2026-03-03T09:00:00', at('2026-03-05T09:00Z'), '2026-03-06T09:00:00Z'],
    });
    expect(short(starts(series, ...week))).toEqual(['02T09', '04T09']);
    expect(short(starts(plain({ exdates: ['2026-03-02T09:00:00'], rule: null }), ...week))).toEqual([]);
  });

  test('RDATE adds occurrences without duplicates, and a period keeps its own length', () => {
    const series = plain({
      rule: 'FREQ=DAILY;COUNT=2',
      rdates: [
        '2026-03-03T09:00:00',
        '2026-03-04T15:00:00',
        { start: '2026-03-05T15:00:00', end: '2026-03-05T15:05:00' },
        { start: '2026-03-06T15:00:00' },
        '2026-03-06T15:00:00Z',
      ],
      exdates: ['2026-03-06T15:00:00'],
    });
    expect(shown(series, ...week)).toEqual([
      '2026-03-02T09:00Z/2026-03-02T10:00Z',
      '2026-03-03T09:00Z/2026-03-03T10:00Z',
      '2026-03-04T15:00Z/2026-03-04T16:00Z',
      '2026-03-05T15:00Z/2026-03-05T15:05Z',
    ]);
  });

  test('an override is found at its new time, hides the original occurrence, and is returned', () => {
    const moved = { recurrenceId: '2026-03-04T09:00:00', start: '2026-05-01T12:00:00', id: 7 };
    const series = plain({ overrides: [moved] });
    expect(short(starts(series, ...week))).toEqual(['02T09', '03T09', '05T09', '06T09']);
    const { occurrences } = expand(
      { ...series, overrides: [moved] },
      windowOf('2026-05-01T12:30Z', '2026-05-01T13:00Z'),
    );
    expect(occurrences).toEqual([
      {
        recurrenceId: at('2026-03-04T09:00Z'),
        start: at('2026-05-01T12:00Z'),
        end: at('2026-05-01T13:00Z'),
        override: moved,
      },
    ]);
    expect(occurrences[0]?.override?.id).toBe(7);
  });

  test('an override without times keeps the times, a cancelled one is left out, and EXDATE takes precedence', () => {
    const series = plain({
      exdates: ['2026-03-05T09:00:00'],
      overrides: [
        { recurrenceId: '2026-03-03T09:00:00' },
        { recurrenceId: '2026-03-04T09:00:00', cancelled: true },
        { recurrenceId: '2026-03-05T09:00:00', start: '2026-03-05T11:00:00' },
        { recurrenceId: '2026-03-06T09:00:00', end: '2026-03-06T18:00:00' },
      ],
    });
    expect(shown(series, ...week)).toEqual([
      '2026-03-02T09:00Z/2026-03-02T10:00Z',
      '2026-03-03T09:00Z/2026-03-03T10:00Z',
      '2026-03-06T09:00Z/2026-03-06T18:00Z',
    ]);
  });

  test('a THISANDFUTURE override moves later occurrences alike until the next one, but not single overrides', () => {
    const series = plain({
      rule: 'FREQ=DAILY;COUNT=6',
      overrides: [
        {
          recurrenceId: '2026-03-03T09:00:00',
          start: '2026-03-03T11:00:00',
          end: '2026-03-03T13:00:00',
          thisAndFuture: true,
        },
        { recurrenceId: '2026-03-04T09:00:00', start: '2026-03-04T20:00:00', end: '2026-03-04T21:00:00' },
        { recurrenceId: '2026-03-06T09:00:00', cancelled: true, thisAndFuture: true },
      ],
    });
    expect(shown(series, ...week)).toEqual([
      '2026-03-02T09:00Z/2026-03-02T10:00Z',
      '2026-03-03T11:00Z/2026-03-03T13:00Z',
      '2026-03-04T20:00Z/2026-03-04T21:00Z',
      '2026-03-05T11:00Z/2026-03-05T13:00Z',
    ]);
    expect(nextAfter(series, at('2026-03-05T10:00Z'))?.recurrenceId).toBe(at('2026-03-05T09:00Z'));
    expect(nextAfter(series, at('2026-03-05T12:00Z'))).toBeNull();
    expect(spanOf(series)).toEqual({ start: at('2026-03-02T09:00Z'), end: at('2026-03-05T13:00Z') });
  });

  test('sorts the occurrences of all origins by start', () => {
    const series = plain({
      rdates: ['2026-03-04T08:00:00'],
      overrides: [{ recurrenceId: '2026-03-06T09:00:00', start: '2026-03-02T08:00:00' }],
    });
    expect(short(starts(series, ...week))).toEqual(['02T08', '02T09', '03T09', '04T08', '04T09', '05T09']);
  });
});

describe('the first occurrence', () => {
  test('counts towards COUNT even if the rule does not yield it', () => {
    const series: Series = {
      start: '2026-03-02T09:00:00',
      zone: 'UTC',
      rule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3',
    };
    expect(starts(series, '2026-03-01', '2026-05-01')).toEqual([
      '2026-03-02T09:00Z',
      '2026-03-03T09:00Z',
      '2026-03-10T09:00Z',
    ]);
  });

  test('is included even if UNTIL is before it', () => {
    const series: Series = {
      start: '2026-03-02T09:00:00',
      zone: 'UTC',
      rule: 'FREQ=DAILY;UNTIL=20260101T000000Z',
    };
    expect(starts(series, '2026-01-01', '2026-12-01')).toEqual(['2026-03-02T09:00Z']);
    expect(spanOf(series)).toEqual({ start: at('2026-03-02T09:00Z'), end: at('2026-03-02T09:00Z') });
  });
});
