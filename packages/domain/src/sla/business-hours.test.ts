import { readFileSync } from 'node:fs';
import { BusinessHours, type Weekday, weekdays } from '@firmdesk/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../platform/process/clock.ts';
import { businessTimeAfter, businessTimeBetween } from './business-hours.ts';

interface Case {
  name: string;
  hours: BusinessHours | null;
  start: string;
  minutes: number;
  due: string;
}

const cases: Case[] = JSON.parse(readFileSync(new URL('business-hours.cases.json', import.meta.url), 'utf8'));

describe('business time', () => {
  test.each(cases)('$name', ({ hours, start, minutes, due }) => {
    const [from, ms] = [Date.parse(start), minutes * MINUTE_MS];
    expect(new Date(businessTimeAfter(from, ms, hours)).toISOString()).toBe(new Date(due).toISOString());
    expect(businessTimeBetween(from, Date.parse(due), hours)).toBe(ms);
  });

  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 45))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  const day = fc
    .uniqueArray(time, { maxLength: 6 })
    .map((times) => times.sort())
    .map((times) =>
      times.flatMap((from, i) => (i % 2 === 0 && times[i + 1] ? [{ from, to: times[i + 1]! }] : [])),
    );
  const zone = fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'UTC',
  );
  const hours = fc
    .record({
      timezone: zone,
      week: fc.record(Object.fromEntries(weekdays.map((name) => [name, day])) as Record<Weekday, typeof day>),
      holidays: fc.uniqueArray(fc.constantFrom('2026-03-27', '2026-03-30', '2026-10-26', '2026-11-02'), {
        maxLength: 2,
      }),
    })
    .filter((value) => BusinessHours.safeParse(value).success);
  // The weeks around the clock changes.
  const start = fc
    .constantFrom('2026-03-20T00:00Z', '2026-10-18T00:00Z', '2026-10-28T00:00Z')
    .chain((from) =>
      fc.integer({ min: 0, max: 14 * 1_440 }).map((minutes) => Date.parse(from) + minutes * MINUTE_MS),
    );
  const amount = fc.integer({ min: 1, max: 3_000 }).map((minutes) => minutes * MINUTE_MS);

  test('adds up, and is what lies between its start and its end', () => {
    fc.assert(
      fc.property(hours, start, amount, amount, (hours, start, first, second) => {
        const due = businessTimeAfter(start, first, hours);
        expect(businessTimeBetween(start, due, hours)).toBe(first);
        expect(businessTimeAfter(due, second, hours)).toBe(businessTimeAfter(start, first + second, hours));
        expect(businessTimeBetween(due, start, hours)).toBe(0);
      }),
    );
  });

  test('goes back as far as the business time that has passed', () => {
    fc.assert(
      fc.property(fc.option(hours), start, amount, (hours, end, ms) => {
        const due = businessTimeAfter(end, -ms, hours);
        expect(due).toBeLessThan(end);
        expect(businessTimeBetween(due, end, hours)).toBe(ms);
      }),
    );
  });

  test('counts the minutes whose wall time is open', () => {
    // Where a clock change repeats or skips an end of an interval, the cases above say what counts.
    const isClear = ({ week }: BusinessHours) =>
      Object.values(week)
        .flat()
        .every(({ from, to }) => [from, to].every((time) => time === '00:00' || time >= '04:00'));
    fc.assert(
      fc.property(
        hours.filter(isClear),
        start,
        fc.integer({ min: 0, max: 4_000 }),
        (hours, start, minutes) => {
          const isOpen = openAt(hours);
          let open = 0;
          for (let i = 0; i < minutes; i++) if (isOpen(start + i * MINUTE_MS)) open++;
          expect(businessTimeBetween(start, start + minutes * MINUTE_MS, hours)).toBe(open * MINUTE_MS);
        },
      ),
      { numRuns: 30 },
    );
  });
});

/** Returns whether an instant is in business hours, by its wall time. */
function openAt({ timezone, week, holidays }: BusinessHours): (at: number) => boolean {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const time = `${parts.hour}:${parts.minute}`;
    const day = parts.weekday!.toLowerCase() as (typeof weekdays)[number];
    return (
      !holidays.includes(`${parts.year}-${parts.month}-${parts.day}`) &&
      week[day].some(({ from, to }) => from <= time && time < to)
    );
  };
}
