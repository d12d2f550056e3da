import { describe, expect, test } from 'vitest';
import { formatDate, parseDay, parseTime } from './day-text.ts';

const today = '2026-11-28';

describe('a typed day', () => {
  test.each([
    ['2027-01-31', '2027-01-31'],
    ['2027/1/31', '2027-01-31'],
    ['28 Nov 2026', '2026-11-28'],
    ['5 sept', '2026-09-05'],
    ['March 3rd, 2027', '2027-03-03'],
    [' 1 jan 27 ', '2027-01-01'],
    ['3/4/2027', '2027-04-03'],
    ['28.11.', '2026-11-28'],
    ['28-11-26', '2026-11-28'],
    ['11/28/2026', '2026-11-28'],
    ['Tomorrow', '2026-11-29'],
    ['yesterday', '2026-11-27'],
    ['29 Feb 2028', '2028-02-29'],
  ])('%s is %s', (text, day) => expect(parseDay(text, today, 'en-GB')).toBe(day));

  test.each([
    '',
    '28',
    'Nov',
    'ma 3',
    '29 Feb 2027',
    '31/31/2026',
    '1/2/3/4',
    '28 Nov 2026 14:00',
    '1 Jan 20270',
    '-',
    'next week',
    '28 Nov Dec',
  ])('“%s” is no day', (text) => expect(parseDay(text, today, 'en-GB')).toBeNull());

  test('is read in the person’s own language', () => {
    expect(parseDay('3/4/2027', today, 'en-US')).toBe('2027-03-04');
    expect(parseDay('3.4.2027', today, 'de-DE')).toBe('2027-04-03');
    expect(parseDay('3. März 2027', today, 'de-DE')).toBe('2027-03-03');
  });

  test('is shown so that it can be read again', () => {
    for (let month = 1; month <= 12; month++) {
      const day = `2027-${String(month).padStart(2, '0')}-09`;
      expect(parseDay(formatDate(day), today, 'en-US')).toBe(day);
    }
  });
});

test.each([
  ['9', '09:00'],
  ['9:30', '09:30'],
  ['0930', '09:30'],
  ['930', '09:30'],
  ['14.05', '14:05'],
  ['9.30 PM', '21:30'],
  ['12am', '00:00'],
  ['12 p', '12:00'],
  ['24', null],
  ['13 pm', null],
  ['9:60', null],
  ['9:5', null],
  ['nine', null],
  ['', null],
])('the typed time “%s” is %s', (text, time) => expect(parseTime(text)).toBe(time));
