import { expect, test } from 'vitest';
import { parseLocal, snoozeTimes, toLocal } from './snooze-times.ts';

const timesAt = (now: string, zone: string) =>
  snoozeTimes(new Date(now), zone).map(({ label, at }) => [label, at.toISOString()]);

test('offers mornings in the time zone of the account', () => {
  // A Saturday. The clocks of New York are five hours behind.
  expect(timesAt('2026-11-21T23:30:00Z', 'America/New_York')).toEqual([
    ['In 3 hours', '2026-11-22T02:30:00.000Z'],
    ['Tomorrow', '2026-11-22T14:00:00.000Z'],
    ['Next Monday', '2026-11-23T14:00:00.000Z'],
    ['In a week', '2026-11-28T14:00:00.000Z'],
  ]);
  // On a Sunday, Monday is tomorrow; on a Monday, the next one is in a week.
  for (const now of ['2026-11-22T12:00:00Z', '2026-11-23T12:00:00Z'])
    expect(timesAt(now, 'Asia/Tokyo').map(([label]) => label)).toEqual([
      'In 3 hours',
      'Tomorrow',
      'In a week',
    ]);
});

test('keeps the hour when the clocks change', () => {
  expect(timesAt('2026-10-24T10:00:00Z', 'Europe/London')[1]).toEqual([
    'Tomorrow',
    '2026-10-25T09:00:00.000Z',
  ]);
  expect(timesAt('2026-03-28T10:00:00Z', 'Europe/London')[1]).toEqual([
    'Tomorrow',
    '2026-03-29T08:00:00.000Z',
  ]);
});

test('reads and writes the local times of inputs', () => {
  expect(parseLocal('2026-07-01T09:30', 'Europe/London')?.toISOString()).toBe('2026-07-01T08:30:00.000Z');
  expect(toLocal(new Date('2026-07-01T08:30:00Z'), 'Europe/London')).toBe('2026-07-01T09:30');
  expect(parseLocal('', 'Europe/London')).toBeNull();
});
