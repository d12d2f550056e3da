import { minutesOfDay, weekdays } from '@firmdesk/contract';
import { utcToLocal } from '@firmdesk/recurrence';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freeTimes } from './free-times.ts';
import { joined } from './intervals.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Thursday. Clocks change in Berlin on 25 October, in New York on 1 November. */
const start = Date.parse('2026-10-22T00:00:00Z');

const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland');
const dayHours = fc.constantFrom<{ from: string; to: string }[]>(
  [],
  [{ from: '09:00', to: '17:00' }],
  [{ from: '00:00', to: '24:00' }],
  [
    { from: '08:30', to: '12:00' },
    { from: '13:00', to: '21:30' },
  ],
);
const request = fc.record({
  busy: fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 15 * 24 * 4 }), fc.integer({ min: 1, max: 100 }))
      .map(([at, length]) => ({ start: start + (at * HOUR) / 4, end: start + ((at + length) * HOUR) / 4 })),
    { maxLength: 40 },
  ),
  from: fc.integer({ min: 0, max: 72 * 4 }).map((quarters) => start + (quarters * HOUR) / 4),
  until: fc.constant(start + 14 * DAY),
  minutes: fc.integer({ min: 5, max: 480 }),
  zone,
  hours: fc.record({
    timezone: zone,
    week: fc.record(
      Object.fromEntries(weekdays.map((day) => [day, dayHours])) as Record<
        (typeof weekdays)[number],
        typeof dayHours
      >,
    ),
    holidays: fc.subarray(['2026-10-23', '2026-10-27', '2026-10-28']),
  }),
  limit: fc.constant(5),
});

test('proposes the first times that are free, by day and in business hours, none of which is left out', () => {
  fc.assert(
    fc.property(request, (asked) => {
      const { busy, from, until, minutes, zone, hours, limit } = asked;
      const length = minutes * 60_000;
      /** Returns whether the time is on one day between two times of the day. */
      const isBetween = (at: number, of: string, opens: number, closes: number) => {
        const wall = utcToLocal(at, of);
        const day = Math.floor(wall / DAY) * DAY;
        return wall >= day + opens && utcToLocal(at + length, of) <= day + closes;
      };
      const isOpen = (at: number) => {
        const day = new Date(utcToLocal(at, hours.timezone));
        const weekday = weekdays[(day.getUTCDay() + 6) % 7]!;
        return (
          !hours.holidays.includes(day.toISOString().slice(0, 10)) &&
          hours.week[weekday].some(({ from, to }) =>
            isBetween(at, hours.timezone, minutesOfDay(from) * 60_000, minutesOfDay(to) * 60_000),
          )
        );
      };
      const isPossible = (at: number) =>
        at >= from &&
        at + length <= until &&
        isOpen(at) &&
        isBetween(at, zone, 7 * HOUR, 20 * HOUR) &&
        busy.every((each) => each.end <= at || each.start >= at + length);
      // Every half hour of the zone, one after another.
      const expected: number[] = [];
      for (let at = start - DAY; at < until && expected.length < limit; at += HOUR / 2)
        if (isPossible(at) && at >= (expected.at(-1) ?? 0) + length) expected.push(at);
      expect(freeTimes(asked)).toEqual(expected.map((at) => ({ start: at, end: at + length })));
    }),
  );
});

test('joined times cover the same moments, with gaps between them', () => {
  fc.assert(
    fc.property(request, ({ busy }) => {
      const result = joined(busy);
      const isIn = (intervals: typeof busy, at: number) => intervals.some((i) => i.start <= at && at < i.end);
      for (let at = start; at < start + 20 * DAY; at += HOUR / 4)
        expect(isIn(result, at)).toBe(isIn(busy, at));
      for (const [at, each] of result.slice(1).entries()) expect(each.start).toBeGreaterThan(result[at]!.end);
    }),
  );
});
