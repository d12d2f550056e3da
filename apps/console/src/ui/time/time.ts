import { shownZone } from './time-zones.ts';

/** The language of the console. Dates and numbers follow it, whatever the browser's language is. */
export const LOCALE = 'en-GB';

const DAY_MS = 86_400_000;

/** Returns a function that formats times in a time zone. Formats are made once for each zone. */
function formatIn(options: Intl.DateTimeFormatOptions): (at: Date, zone: string) => string {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (at, zone) => {
    const format =
      made.get(zone) ?? new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: shownZone(zone) });
    made.set(zone, format);
    return format.format(at);
  };
}

/** `2026-11-21`, to compare days. */
const isoDay = formatIn({ year: 'numeric', month: '2-digit', day: '2-digit' });
const year = formatIn({ year: 'numeric' });
const dayAndMonth = formatIn({ day: 'numeric', month: 'short' });
const dayOfYear = formatIn({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayOfYear = formatIn({ weekday: 'long', day: 'numeric', month: 'long' });
const dayInWords = formatIn({ day: 'numeric', month: 'long', year: 'numeric' });

/** `14:05` */
export const formatClock = formatIn({ hour: '2-digit', minute: '2-digit' });
/** `14:05:09` */
export const formatSeconds = formatIn({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
/** `Saturday, 21 November 2026 at 14:05 GMT`, for titles. */
export const formatInFull = formatIn({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

export function isSameDay(a: Date, b: Date, zone: string): boolean {
  return isoDay(a, zone) === isoDay(b, zone);
}

/** Returns a time as it is shown everywhere: `Today 14:05`, `Yesterday 14:05`, `21 Nov 14:05`, `21 Nov 2025 14:05`. */
export function formatMoment(at: Date, now: Date, zone: string): string {
  return `${relativeDay(at, now, zone) ?? (isSameYear(at, now, zone) ? dayAndMonth : dayOfYear)(at, zone)} ${formatClock(at, zone)}`;
}

/** Returns a day for the heading of its messages: `Today`, `Yesterday`, `Saturday 21 November`, `21 November 2025`. */
export function formatDay(at: Date, now: Date, zone: string): string {
  return relativeDay(at, now, zone) ?? (isSameYear(at, now, zone) ? weekdayOfYear : dayInWords)(at, zone);
}

function relativeDay(at: Date, now: Date, zone: string): string | null {
  if (isSameDay(at, now, zone)) return 'Today';
  const yesterday = new Date(now.getTime() - DAY_MS);
  return at < now && isSameDay(at, yesterday, zone) ? 'Yesterday' : null;
}

function isSameYear(a: Date, b: Date, zone: string): boolean {
  return year(a, zone) === year(b, zone);
}
