import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLocal, parseLocal } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import { zoneName } from './testing/arbitrary.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';
import { localToUtc, utcToLocal } from './zone.ts';
import { resolveZone } from './zone-names.ts';

const toUtc = (wall: string, zone: string) => formatLocal(localToUtc(parseLocal(wall), zone));

describe('resolveZone', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Eastern Standard Time', 'America/New_York'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['/mozilla.org/20050126_1/Europe/Berlin', 'Europe/Berlin'],
    ['/freeassociation.sourceforge.net/America/Indiana/Knox', 'America/Indiana/Knox'],
  ])('%s is %s', (name, zone) => {
    expect(resolveZone(name)).toBe(zone);
  });

  test.each(['', 'Mars/Olympus', '+05:00', 'Eastern', '/', '/Europe', ' Europe/Berlin', 'x'.repeat(5000)])(
    'returns null for %s',
    (name) => {
      expect(resolveZone(name)).toBeNull();
    },
  );

  test('every Windows name has a zone that resolves to itself', () => {
    expect(WINDOWS_ZONES.size).toBe(139);
    for (const [name, zone] of WINDOWS_ZONES) {
      expect(resolveZone(name)).toBe(zone);
      expect(resolveZone(zone)).toBe(zone);
    }
  });

  test('conversions throw a RecurrenceError for an unknown zone', () => {
    expect(() => localToUtc(0, 'Mars/Olympus')).toThrow(RecurrenceError);
    expect(() => utcToLocal(0, '')).toThrow(RecurrenceError);
  });
});

describe('localToUtc', () => {
  test.each([
    ['before a gap', '2026-03-08T01:59:59', 'America/New_York', '2026-03-08T06:59:59'],
    ['a time in a gap moves forward', '2026-03-08T02:30:00', 'America/New_York', '2026-03-08T07:30:00'],
    ['after a gap', '2026-03-08T03:00:00', 'America/New_York', '2026-03-08T07:00:00'],
    ['the first pass of an overlap', '2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00'],
    ['after an overlap', '2026-11-01T02:00:00', 'America/New_York', '2026-11-01T07:00:00'],
    ['a gap of half an hour', '2026-10-04T02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:45:00'],
    ['an overlap of half an hour', '2026-04-05T01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00'],
    ['a gap at midnight', '2018-11-04T00:00:00', 'America/Sao_Paulo', '2018-11-04T03:00:00'],
    ['a day that was skipped', '2011-12-30T12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00'],
    ['the day after it', '2011-12-31T12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00'],
    ['Ramadan', '2026-03-01T12:00:00', 'Africa/Casablanca', '2026-03-01T12:00:00'],
    ['negative daylight saving time', '2026-07-01T12:00:00', 'Europe/Dublin', '2026-07-01T11:00:00'],
    ['one week of summer time', '2000-10-10T12:00:00', 'America/Recife', '2000-10-10T14:00:00'],
    ['local mean time, in seconds', '1880-01-01T12:00:00', 'America/New_York', '1880-01-01T16:56:02'],
    ['the last days', '9999-12-30T00:00:00', 'Asia/Tokyo', '9999-12-29T15:00:00'],
    ['the far future', '9998-07-01T12:00:00', 'America/New_York', '9998-07-01T16:00:00'],
  ])('%s', (_, wall, zone, instant) => {
    expect(toUtc(wall, zone)).toBe(instant);
  });

  test('is the inverse of utcToLocal, except in the second pass of an overlap', () => {
    fc.assert(
      fc.property(zoneName, fc.integer({ min: -5e9, max: 8e9 }), (zone, seconds) => {
        const instant = seconds * 1000;
        const again = localToUtc(utcToLocal(instant, zone), zone);
        const secondPass = again !== instant && utcToLocal(again, zone) === utcToLocal(instant, zone);
        expect(again === instant || (secondPass && again < instant)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('utcToLocal', () => {
  test('returns the same wall time as Intl', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        fc.integer({ min: -5e9, max: 10e9 }),
        (zone, seconds) => {
          const parts = new Intl.DateTimeFormat('sv-SE', {
            timeZone: zone,
            dateStyle: 'short',
            timeStyle: 'medium',
          });
          expect(formatLocal(utcToLocal(seconds * 1000, zone))).toBe(
            parts.format(seconds * 1000).replace(' ', 'T'),
          );
        },
      ),
      { numRuns: 1500 },
    );
  });
});

describe('wall times as text', () => {
  test.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-01T24:00:00',
    '2026-01-01T10:60:00',
    '2026-1-1',
    '2026-01-01 10:00:00',
    '2026-01-01T10:00',
    '0000-01-01',
    '2026-01-01T10:00:00Z',
  ])('rejects %s', (text) => {
    expect(() => parseLocal(text)).toThrow(RecurrenceError);
  });

  test('are unchanged by parseLocal and formatLocal', () => {
    for (const text of ['0001-01-01T00:00:00', '2024-02-29T23:59:59', '9999-12-31T23:59:59.999']) {
      expect(formatLocal(parseLocal(text))).toBe(text);
    }
  });
});
