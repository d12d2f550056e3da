import { describe, expect, test } from 'vitest';
import { formatLocal } from './civil.ts';
import { expand } from './expand.ts';
import { utcToLocal } from './zone.ts';

const NEW_YORK = 'America/New_York';

/** Returns the first `count` wall times of an example from RFC 5545 §3.8.5.3, in a format that the test chooses. */
function first(
  count: number,
  start: string,
  rule: string,
  format: (wall: string) => string,
  exdates: string[] = [],
): string[] {
  const { occurrences } = expand(
    { start, zone: NEW_YORK, rule, exdates },
    { from: Date.parse('1997-01-01T00:00:00Z'), until: Date.parse('2030-01-01T00:00:00Z') },
    { limit: count },
  );
  return occurrences.map((occurrence) => format(formatLocal(utcToLocal(occurrence.start, NEW_YORK))));
}
const monthDay = (wall: string) => wall.slice(5, 10);
const date = (wall: string) => wall.slice(0, 10);
const time = (wall: string) => wall.slice(5, 16);

const SEP_2 = '1997-09-02T09:00:00';

/** The title, the start, the rule, the dates in the RFC, and whether the RFC lists all of them. */
const examples: [title: string, start: string, rule: string, listed: string, all?: 'all'][] = [
  [
    'daily for 10 occurrences',
    SEP_2,
    'FREQ=DAILY;COUNT=10',
    '09-02 09-03 09-04 09-05 09-06 09-07 09-08 09-09 09-10 09-11',
    'all',
  ],
  [
    'every other day',
    SEP_2,
    'FREQ=DAILY;INTERVAL=2',
    '09-02 09-04 09-06 09-08 09-10 09-12 09-14 09-16 09-18 09-20',
  ],
  [
    'every 10 days, 5 occurrences',
    SEP_2,
    'FREQ=DAILY;INTERVAL=10;COUNT=5',
    '09-02 09-12 09-22 10-02 10-12',
    'all',
  ],
  [
    'weekly for 10 occurrences',
    SEP_2,
    'FREQ=WEEKLY;COUNT=10',
    '09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21 10-28 11-04',
    'all',
  ],
  [
    'weekly until 24 December',
    SEP_2,
    'FREQ=WEEKLY;UNTIL=19971224T000000Z',
    '09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21 10-28 11-04 11-11 11-18 11-25 12-02 12-09 12-16 12-23',
    'all',
  ],
  [
    'every other week',
    SEP_2,
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
    '09-02 09-16 09-30 10-14 10-28 11-11 11-25 12-09 12-23 01-06',
  ],
  [
    'Tuesday and Thursday for five weeks',
    SEP_2,
    'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    '09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02',
    'all',
  ],
  [
    'Tuesday and Thursday, 10 times',
    SEP_2,
    'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH',
    '09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02',
    'all',
  ],
  [
    'every other week on three days',
    '1997-09-01T09:00:00',
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '09-01 09-03 09-05 09-15 09-17 09-19 09-29 10-01 10-03 10-13 10-15 10-17 10-27 10-29 10-31 11-10 11-12 11-14 11-24 11-26 11-28 12-08 12-10 12-12 12-22',
    'all',
  ],
  [
    'every other week on two days, 8 times',
    SEP_2,
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    '09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16',
    'all',
  ],
  [
    'first Friday of the month',
    '1997-09-05T09:00:00',
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    '09-05 10-03 11-07 12-05 01-02 02-06 03-06 04-03 05-01 06-05',
    'all',
  ],
  [
    'first Friday until 24 December',
    '1997-09-05T09:00:00',
    'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR',
    '09-05 10-03 11-07 12-05',
    'all',
  ],
  [
    'first and last Sunday of every other month',
    '1997-09-07T09:00:00',
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '09-07 09-28 11-02 11-30 01-04 01-25 03-01 03-29 05-03 05-31',
    'all',
  ],
  [
    'second-to-last Monday',
    '1997-09-22T09:00:00',
    'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    '09-22 10-20 11-17 12-22 01-19 02-16',
    'all',
  ],
  [
    'third-to-last day of the month',
    '1997-09-28T09:00:00',
    'FREQ=MONTHLY;BYMONTHDAY=-3',
    '09-28 10-29 11-28 12-29 01-29 02-26',
  ],
  [
    '2nd and 15th of the month',
    SEP_2,
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    '09-02 09-15 10-02 10-15 11-02 11-15 12-02 12-15 01-02 01-15',
    'all',
  ],
  [
    'first and last day of the month',
    '1997-09-30T09:00:00',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    '09-30 10-01 10-31 11-01 11-30 12-01 12-31 01-01 01-31 02-01',
    'all',
  ],
  [
    '10th to 15th every 18 months',
    '1997-09-10T09:00:00',
    'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
    '09-10 09-11 09-12 09-13 09-14 09-15 03-10 03-11 03-12 03-13',
    'all',
  ],
  [
    'Tuesdays of every other month',
    SEP_2,
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    '09-02 09-09 09-16 09-23 09-30 11-04 11-11 11-18 11-25 01-06 01-13 01-20 01-27 03-03 03-10 03-17 03-24 03-31',
  ],
  [
    'June and July',
    '1997-06-10T09:00:00',
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    '06-10 07-10 06-10 07-10 06-10 07-10 06-10 07-10 06-10 07-10',
    'all',
  ],
  [
    'every other year in three months',
    '1997-03-10T09:00:00',
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    '03-10 01-10 02-10 03-10 01-10 02-10 03-10 01-10 02-10 03-10',
    'all',
  ],
  [
    'every third year on three days',
    '1997-01-01T09:00:00',
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '01-01 04-10 07-19 01-01 04-09 07-18 01-01 04-10 07-19 01-01',
    'all',
  ],
  ['20th Monday of the year', '1997-05-19T09:00:00', 'FREQ=YEARLY;BYDAY=20MO', '05-19 05-18 05-17'],
  ['Monday of week 20', '1997-05-12T09:00:00', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '05-12 05-11 05-17'],
  [
    'Thursdays in March',
    '1997-03-13T09:00:00',
    'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
    '03-13 03-20 03-27 03-05 03-12 03-19 03-26 03-04 03-11 03-18 03-25',
  ],
  [
    'Thursdays in summer',
    '1997-06-05T09:00:00',
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    '06-05 06-12 06-19 06-26 07-03 07-10 07-17 07-24 07-31 08-07 08-14 08-21 08-28 06-04 06-11',
  ],
  [
    'Saturday after the first Sunday',
    '1997-09-13T09:00:00',
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    '09-13 10-11 11-08 12-13 01-10 02-07 03-07 04-11 05-09 06-13',
  ],
  [
    'election day',
    '1996-11-05T09:00:00',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    '11-07 11-02 11-04',
  ],
  [
    'third of Tuesday to Thursday',
    '1997-09-04T09:00:00',
    'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3',
    '09-04 10-07 11-06',
    'all',
  ],
  [
    'second-to-last weekday',
    '1997-09-29T09:00:00',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    '09-29 10-30 11-27 12-30 01-29 02-26 03-30',
  ],
  [
    'invalid dates are left out',
    '2007-01-15T09:00:00',
    'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
    '01-15 01-30 02-15 03-15 03-30',
    'all',
  ],
];

describe('RFC 5545 §3.8.5.3', () => {
  test.each(examples)('%s', (_, start, rule, listed, all) => {
    const want = listed.split(' ');
    expect(first(want.length + (all ? 1 : 0), start, rule, monthDay)).toEqual(want);
  });

  test('daily until 24 December 1997: 113 days, the last on the 23rd', () => {
    const days = first(200, SEP_2, 'FREQ=DAILY;UNTIL=19971224T000000Z', monthDay);
    expect([days.length, days.at(-1)]).toEqual([113, '12-23']);
  });

  test.each([
    'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
    'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1',
  ])('every day in January for three years: %s', (rule) => {
    const days = first(200, '1998-01-01T09:00:00', rule, date);
    expect(days).toHaveLength(93);
    expect([days[30], days[31], days[92]]).toEqual(['1998-01-31', '1999-01-01', '2000-01-31']);
  });

  test('Friday the 13th, with DTSTART excluded', () => {
    const days = first(5, SEP_2, 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', date, [SEP_2]);
    expect(days).toEqual(['1998-02-13', '1998-03-13', '1998-11-13', '1999-08-13', '2000-10-13']);
  });

  test.each([
    ['MO', '08-05 08-10 08-19 08-24'],
    ['SU', '08-05 08-17 08-19 08-31'],
  ])('the first day of the week changes the result: WKST=%s', (wkst, listed) => {
    const rule = `FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=${wkst}`;
    expect(first(9, '1997-08-05T09:00:00', rule, monthDay)).toEqual(listed.split(' '));
  });

  test('every three hours until the afternoon', () => {
    const rule = 'FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z';
    expect(first(9, SEP_2, rule, time)).toEqual(['09-02T09:00', '09-02T12:00', '09-02T15:00']);
  });

  test('every 20 minutes of the working day, as a daily rule', () => {
    const rule = 'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40';
    const times = first(25, SEP_2, rule, time);
    expect([times[1], times[23], times[24]]).toEqual(['09-02T09:20', '09-02T16:40', '09-03T09:00']);
  });
});
