import { expect, test } from 'vitest';
import { currentZone, timeZones, zoneName, zoneSearchText } from './time-zones.ts';

test('lists each zone once, by its current name', () => {
  const zones = timeZones('Asia/Calcutta', 'Europe/Berlin');
  expect(new Set(zones).size).toBe(zones.length);
  for (const zone of ['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'Asia/Ho_Chi_Minh', 'Europe/Berlin'])
    expect(zones).toContain(zone);
  for (const zone of ['Asia/Calcutta', 'Europe/Kiev', 'Asia/Saigon']) expect(zones).not.toContain(zone);
});

test('lists only zones that this engine knows, with the time of the zone from before', () => {
  const at = new Date('2026-07-01T12:00:00Z');
  const hour = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { timeZone, timeStyle: 'short' }).format(at);
  for (const zone of timeZones()) expect(() => hour(zone), zone).not.toThrow();
  for (const zone of Intl.supportedValuesOf('timeZone')) expect(hour(currentZone(zone))).toBe(hour(zone));
});

test('is found by both names', () => {
  expect(zoneSearchText('Asia/Kolkata')).toContain('Calcutta');
  expect(zoneSearchText('Asia/Ho_Chi_Minh')).toContain('Ho Chi Minh');
  expect(zoneName('Europe/Kiev')).toBe('Europe/Kyiv');
});
