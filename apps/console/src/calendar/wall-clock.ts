import { shownZone } from '../ui/time/time-zones.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the local time of an instant in a time zone, in ms, as if the local time were UTC. */
export function wallClockMs(instant: string | number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: shownZone(zone),
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(new Date(instant))) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number> & { year: number };
  return Date.UTC(year, month! - 1, day, hour, minute, second);
}

/** Returns the instant of a local time (`2026-11-21T09:00`, `2026-11-21`) in a time zone, in ms. */
export function instantOf(wall: string, zone: string): number {
  const local = Date.parse(wall.length === 10 ? `${wall}T00:00Z` : `${wall}Z`);
  // The offset at the local time, and once more at the instant that it gives, which may be beyond a change of the clocks.
  const near = local - (wallClockMs(local, zone) - local);
  return local - (wallClockMs(near, zone) - near);
}
