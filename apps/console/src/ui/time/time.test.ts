import { expect, test } from 'vitest';
import { wallClockMs } from '../../calendar/wall-clock.ts';
import { formatDay, formatInFull, formatMoment } from './time.ts';
import { timeZones } from './time-zones.ts';

const now = new Date('2026-11-22T01:30:00Z');

test('names today and yesterday in the given time zone, and dates before', () => {
  const moment = (at: string, zone: string) => formatMoment(new Date(at), now, zone);
  expect(moment('2026-11-22T00:05:00Z', 'Europe/London')).toBe('Today 00:05');
  expect(moment('2026-11-21T14:05:00Z', 'Europe/London')).toBe('Yesterday 14:05');
  expect(moment('2026-11-21T14:05:00Z', 'America/New_York')).toBe('Today 09:05');
  expect(moment('2026-11-21T15:05:00Z', 'Asia/Tokyo')).toBe('Today 00:05');
  expect(moment('2026-10-03T14:05:00Z', 'Europe/London')).toBe('3 Oct 15:05');
  expect(moment('2025-11-21T14:05:00Z', 'Europe/London')).toBe('21 Nov 2025 14:05');
});

test('names the day of messages', () => {
  const day = (at: string) => formatDay(new Date(at), now, 'Europe/London');
  expect(day('2026-11-22T00:05:00Z')).toBe('Today');
  expect(day('2026-11-20T14:05:00Z')).toBe('Friday 20 November');
  expect(day('2025-11-21T14:05:00Z')).toBe('21 November 2025');
});

test('shows times of a zone that the browser does not know in UTC', () => {
  expect(formatInFull(now, 'Europe/Newtown')).toBe(formatInFull(now, 'UTC'));
  expect(timeZones('Europe/Newtown')).toContain('Europe/Newtown');
  expect(wallClockMs(now.getTime(), 'Europe/Newtown')).toBe(now.getTime());
});
