import { describe, expect, test } from 'vitest';
import { resolveTimestamp, TimestampError } from './times.ts';

const NOW = new Date('2026-05-31T12:00:00.250Z');

describe('resolves a fixed timestamp to the microsecond', () => {
  test.each([
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01T09:30:00+01:00', '2026-03-01T08:30:00.000000Z'],
    ['2026-03-01T09:30:00-05:30', '2026-03-01T15:00:00.000000Z'],
    ['2026-03-01T09:30:00.123456+00:00', '2026-03-01T09:30:00.123456Z'],
    ['2026-03-01T09:30:00.000001Z', '2026-03-01T09:30:00.000001Z'],
    ['2026-03-01T09:30:00.5Z', '2026-03-01T09:30:00.500000Z'],
    ['2026-03-01T09:30+0100', '2026-03-01T08:30:00.000000Z'],
    ['2026-03-01T09:30+01', '2026-03-01T08:30:00.000000Z'],
    ['2024-02-29T00:00:00+14:00', '2024-02-28T10:00:00.000000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('%s', (text, moment) => {
    expect(resolveTimestamp(text, NOW)).toBe(moment);
  });
});

describe('resolves a relative timestamp from now', () => {
  test.each([
    ['now', '2026-05-31T12:00:00.250000Z'],
    ['now-P91D', '2026-03-01T12:00:00.250000Z'],
    ['now+PT5M', '2026-05-31T12:05:00.250000Z'],
    ['now-P2W', '2026-05-17T12:00:00.250000Z'],
    ['now-P1DT12H30M0.25S', '2026-05-29T23:30:00.000000Z'],
    ['now+PT36H', '2026-06-02T00:00:00.250000Z'],
    ['now+PT0.000001S', '2026-05-31T12:00:00.250001Z'],
    // A day beyond the end of the resulting month becomes its last day.
    ['now-P3M', '2026-02-28T12:00:00.250000Z'],
    ['now+P1M', '2026-06-30T12:00:00.250000Z'],
    ['now-P27M', '2024-02-29T12:00:00.250000Z'],
    ['now-P1Y', '2025-05-31T12:00:00.250000Z'],
    ['now+P1Y8M1D', '2028-02-01T12:00:00.250000Z'],
    ['now-P6M', '2025-11-30T12:00:00.250000Z'],
  ])('%s', (text, moment) => {
    expect(resolveTimestamp(text, NOW)).toBe(moment);
  });

  test('resolves a year after a leap day to the last of February', () => {
    expect(resolveTimestamp('now+P1Y', new Date('2024-02-29T06:00:00Z'))).toBe('2025-02-28T06:00:00.000000Z');
  });
});

describe('rejects invalid timestamps', () => {
  test.each([
    '',
    'yesterday',
    '2026-03-01',
    '2026-03-01T09:30:00',
    '2026-03-01 09:30:00Z',
    '2026-3-1T09:30:00Z',
    '2026-02-30T09:30:00Z',
    '2025-02-29T09:30:00Z',
    '2026-00-10T09:30:00Z',
    '2026-13-10T09:30:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T09:60:00Z',
    '2026-03-01T09:30:60Z',
    '2026-03-01T09:30:00+24:00',
    '2026-03-01T09:30:00.1234567Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    'now ',
    'now+',
    'now-91D',
    'now-P',
    'now-PT',
    'now-P1DT',
    'now-P1.5D',
    'now-P-1D',
    'now--P1D',
    'now+P9000Y',
    'now-P999999999Y',
    'now+P999999999D',
  ])('%j', (text) => {
    expect(() => resolveTimestamp(text, NOW)).toThrow(TimestampError);
  });
});

test.each([
  ['yesterday', /"yesterday" is not a timestamp: expected ISO 8601 with an offset/],
  ['2026-02-30T09:30:00Z', /"2026-02-30T09:30:00Z" is not an existing day and time/],
  ['now-91D', /"91D" is not an ISO 8601 duration/],
  ['now+P9000Y', /"now\+P9000Y" is outside the years 0001 to 9999/],
])('explains why %j is invalid', (text, message) => {
  expect(() => resolveTimestamp(text, NOW)).toThrow(message);
});
