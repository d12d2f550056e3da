import { addDays, type Day, isDay, msOf } from '../../calendar/views/days.ts';
import { LOCALE } from './time.ts';

const format = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `28 Nov 2026` */
export function formatDate(day: Day): string {
  return format.format(msOf(day));
}

/**
 * Reads a day as a person types it: `28 Nov`, `November 28, 2026`, `28/11/26`, `2026-11-28`, `tomorrow`. Of two numbers, the first is
 * the day or the month as in the person's language. Without a year it is this year.
 */
export function parseDay(text: string, today: Day, language: string): Day | null {
  const words = text
    .toLowerCase()
    .split(/[\s,./-]+/)
    .filter((word) => word !== '');
  const relative = ['yesterday', 'today', 'tomorrow'].indexOf(words.join(' '));
  if (relative >= 0) return addDays(today, relative - 1);
  const months = words.map((word) => monthOf(word, language));
  const named = months.findIndex((month) => month !== null);
  const numbers = words
    .filter((_, index) => index !== named)
    .map((word) => word.replace(/(st|nd|rd|th)$/, ''));
  if (numbers.length > 3 || !numbers.every((number) => /^\d{1,4}$/.test(number))) return null;
  if (named >= 0) {
    const [day, year, ...more] = numbers;
    return more.length === 0 ? dayFrom(year, months[named]!, day, today) : null;
  }
  const [first, second, third] = numbers;
  if (first?.length === 4) return dayFrom(first, Number(second), third, today);
  const [day, month] = isDayFirst(language) ? [first, second] : [second, first];
  return dayFrom(third, Number(month), day, today) ?? dayFrom(third, Number(day), month, today);
}

/** Reads a time of day: `9`, `9:30`, `0930`, `9.30 pm`. */
export function parseTime(text: string): string | null {
  const [, hours, minutes = '0', half] =
    /^(\d{1,2})(?:[:.]?(\d\d))?\s?([ap])?m?$/.exec(text.trim().toLowerCase()) ?? [];
  if (hours === undefined || Number(minutes) > 59) return null;
  if (half ? Number(hours) < 1 || Number(hours) > 12 : Number(hours) > 23) return null;
  const hour = half ? (Number(hours) % 12) + (half === 'p' ? 12 : 0) : Number(hours);
  return `${String(hour).padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}

function dayFrom(year = '', month: number, day: string | undefined, today: Day): Day | null {
  const century = today.slice(0, 2);
  const full = { 0: today.slice(0, 4), 2: `${century}${year}`, 4: year }[year.length];
  const found = `${full}-${String(month).padStart(2, '0')}-${day?.padStart(2, '0')}`;
  return isDay(found) ? found : null;
}

function isDayFirst(language: string): boolean {
  const parts = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'numeric' }).formatToParts(0);
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'day';
}

/** The number of the month that a word begins, in the console's language or the person's. */
function monthOf(word: string, language: string): number | null {
  if (word.length < 3 || /\d/.test(word)) return null;
  for (const locale of new Set([LOCALE, language])) {
    const name = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
    for (let month = 0; month < 12; month++)
      if (name.format(Date.UTC(2026, month)).toLowerCase().startsWith(word)) return month + 1;
  }
  return null;
}
