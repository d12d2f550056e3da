const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the local time of an instant in a time zone, in ms, as if the local time were UTC. */
export function wallClockMs(instant: string | number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
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
