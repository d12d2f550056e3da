import type { CalendarEvent } from '@firmdesk/contract';
import { LOCALE } from '../../ui/time/time.ts';
import { shownZone, zoneName } from '../../ui/time/time-zones.ts';
import { DAY_MS } from '../views/days.ts';

const timeIn = cached((timeZone) => new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone }));
const dayIn = cached(
  (timeZone) =>
    new Intl.DateTimeFormat(LOCALE, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone,
    }),
);
const momentIn = cached(
  (timeZone) =>
    new Intl.DateTimeFormat(LOCALE, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
    }),
);

/** Returns the start time in a time zone. */
export function startTime({ starts_at }: CalendarEvent, zone: string): string {
  return timeIn(zone).format(new Date(starts_at));
}

/** Returns the full time of an event: `Monday, 23 November 2026, 10:00 – 11:00`. */
export function formatEventTime(
  event: Pick<CalendarEvent, 'starts_at' | 'ends_at' | 'all_day' | 'timezone'>,
  zone: string,
): string {
  const [start, end] = [new Date(event.starts_at), new Date(event.ends_at)];
  if (event.all_day) {
    // The end is exclusive. Half a day before it is on the last day, even if that day has 23 or 25 hours.
    const last = new Date(Math.max(start.getTime(), end.getTime() - DAY_MS / 2));
    return `${dayIn(event.timezone).formatRange(start, last)}, all day`;
  }
  const isOneDay = dayIn(zone).format(start) === dayIn(zone).format(end);
  if (!isOneDay) return momentIn(zone).formatRange(start, end);
  return `${dayIn(zone).format(start)}, ${timeIn(zone).formatRange(start, end)}`;
}

/** Returns the lead time of a reminder: `10 minutes before`. */
export function formatReminder(minutes: number): string {
  if (minutes === 0) return 'when it starts';
  const units = [
    [10_080, 'week'],
    [1_440, 'day'],
    [60, 'hour'],
    [1, 'minute'],
  ] as const;
  const [size, unit] = units.find(([size]) => minutes % size === 0)!;
  const format = new Intl.NumberFormat(LOCALE, { style: 'unit', unit, unitDisplay: 'long' });
  return `${format.format(minutes / size)} before`;
}

/** Returns whether only the time of an event is visible: the caller sees its calendar at the level `busy`. */
export function isBusyBlock({ title, can_write, organizer, description, location }: CalendarEvent): boolean {
  return title === 'Busy' && !can_write && !organizer.email && !description && !location;
}

/** Returns a short name of a time zone: `London time` for `Europe/London`. */
export function timeZoneLabel(zone: string): string {
  const city = zoneName(zone).split('/').slice(1).at(-1);
  return city ? `${city} time` : zone;
}

function cached(make: (zone: string) => Intl.DateTimeFormat): (zone: string) => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (zone) => {
    const format = made.get(zone) ?? make(shownZone(zone));
    made.set(zone, format);
    return format;
  };
}
