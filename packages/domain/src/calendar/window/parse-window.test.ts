import { describe, expect, test } from 'vitest';
import { ApiError } from '../../platform/process/errors.ts';
import { parseWindow } from './parse-window.ts';

const now = new Date('2026-11-21T10:00:00Z');
const iso = (instant: number) => new Date(instant).toISOString();

/** Returns the bounds of a window, or the code of the error. */
function windowOf(bounds: { from?: string; until?: string }, zone = 'UTC'): string | string[] {
  try {
    const { from, until } = parseWindow(bounds, zone, now);
    return [iso(from), iso(until)];
  } catch (error) {
    if (error instanceof ApiError) return error.apiCode;
    throw error;
  }
}

describe('the default bounds', () => {
  test('from is the start of today in the zone of the account', () => {
    expect(windowOf({}, 'Pacific/Auckland')).toEqual([
      '2026-11-20T11:00:00.000Z',
      '2026-12-21T11:00:00.000Z',
    ]);
    expect(windowOf({}, 'America/Los_Angeles')).toEqual([
      '2026-11-21T08:00:00.000Z',
      '2026-12-22T08:00:00.000Z',
    ]);
  });

  test('until is 31 days after from', () => {
    expect(windowOf({ from: '2026-05-01T10:00:00Z' })).toEqual([
      '2026-05-01T10:00:00.000Z',
      '2026-06-01T10:00:00.000Z',
    ]);
  });

  test('until is at most the last instant of year 9999', () => {
    expect(windowOf({ from: '9999-12-31T00:00:00Z' })).toEqual([
      '9999-12-31T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]);
  });
});

describe('a bound', () => {
  test.each([
    ['2026-11-21', '2026-11-20T23:00:00.000Z'],
    ['2026-07-21', '2026-07-20T22:00:00.000Z'],
    ['2026-11-21T09:30', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21T09:30:15', '2026-11-21T08:30:15.000Z'],
    ['2026-11-21T09:30:15.1234', '2026-11-21T08:30:15.123Z'],
    ['2026-11-21T09:30:15,5', '2026-11-21T08:30:15.500Z'],
    ['2026-11-21T09:30Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00+05:30', '2026-11-21T04:00:00.000Z'],
    ['2026-11-21T09:30:00 05:30', '2026-11-21T04:00:00.000Z'],
    ['2026-11-21T09:30:00-0800', '2026-11-21T17:30:00.000Z'],
    ['2026-11-21T09:30:00+05', '2026-11-21T04:30:00.000Z'],
    ['2024-02-29', '2024-02-28T23:00:00.000Z'],
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ])('%s in Europe/Berlin is %s', (from, instant) => {
    expect(windowOf({ from }, 'Europe/Berlin')[0]).toBe(instant);
  });

  test.each([
    '',
    'today',
    '2026',
    '2026-11',
    '20261121',
    '2026-13-01',
    '2026-02-30',
    '2025-02-29',
    '2026-11-21T24:00',
    '2026-11-21T09',
    '2026-11-21T09:60',
    '2026-11-21T09:30:61Z',
    '2026-11-21 09:30',
    '2026-11-21Z',
    '2026-11-21T09:30:00+24:00',
    '2026-11-21T09:30:00+5',
    '21.11.2026',
    '1795000000',
    '0000-01-01',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-01:00',
    '+002026-11-21',
    'null',
  ])('%j is rejected with invalid_date', (text) => {
    expect(windowOf({ from: text })).toBe('invalid_date');
    expect(windowOf({ until: text })).toBe('invalid_date');
  });
});

describe('the length of a window', () => {
  const at = '2026-11-21T00:00:00Z';

  test('until must be after from', () => {
    expect(windowOf({ from: at, until: at })).toBe('invalid_window');
    expect(windowOf({ from: at, until: '2026-11-20' })).toBe('invalid_window');
    expect(windowOf({ until: '2001-01-01' })).toBe('invalid_window');
    expect(windowOf({ from: at, until: '2026-11-21T00:00:00.001Z' })).toHaveLength(2);
    expect(windowOf({ from: '0001-01-01T00:00:00Z', until: '0001-01-02T00:00:00Z' })).toHaveLength(2);
  });

  test('an invalid date is reported before an invalid window', () => {
    expect(windowOf({ from: at, until: 'x' })).toBe('invalid_date');
  });

  test.each([
    ['92 days', 'UTC', '2026-05-01', '2026-08-01'],
    ['92 days that have an hour more', 'Europe/Berlin', '2026-08-01', '2026-11-01'],
    ['92 × 24 hours in days that have an hour less', 'Europe/Berlin', '2026-03-01', '2026-06-01T01:00'],
  ])('%s are allowed, a millisecond more is rejected with window_too_wide', (_, zone, from, until) => {
    expect(windowOf({ from, until }, zone)).toHaveLength(2);
    const more = until.length === 10 ? `${until}T00:00:00.001` : `${until}:00.001`;
    expect(windowOf({ from, until: more }, zone)).toBe('window_too_wide');
  });
});
