import { expect, test } from 'vitest';
import { newEventOn, valuesOf } from './event-form.ts';

const startOn = (day: string, now: string) => {
  const { start_day, start_time, end_day, end_time } = valuesOf(newEventOn(day, Date.parse(`${now}Z`)));
  return `${start_day} ${start_time} ${end_day} ${end_time}`;
};

test.each([
  ['before the usual time', '2026-11-24', '2026-11-24T07:59', '2026-11-24 09:00 2026-11-24 10:00'],
  ['on another day', '2026-11-25', '2026-11-24T16:20', '2026-11-25 09:00 2026-11-25 10:00'],
  ['at the usual time', '2026-11-24', '2026-11-24T09:00', '2026-11-24 10:00 2026-11-24 11:00'],
  ['after it', '2026-11-24', '2026-11-24T16:20', '2026-11-24 17:00 2026-11-24 18:00'],
  ['in the last hour but one', '2026-11-24', '2026-11-24T22:10', '2026-11-24 23:00 2026-11-25 00:00'],
  ['in the last hour', '2026-11-24', '2026-11-24T23:10', '2026-11-25 00:00 2026-11-25 01:00'],
])('a new event of today does not begin in the past: %s', (_when, day, now, expected) => {
  expect(startOn(day, now)).toBe(expected);
});
