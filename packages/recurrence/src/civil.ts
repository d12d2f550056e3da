import { RecurrenceError } from './errors.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The years of a four-digit ISO date. A series has no occurrences outside them. */
export const MIN_YEAR = 1;
export const MAX_YEAR = 9999;

/** Returns the day number (days since 1970-01-01) of 1 January in the proleptic Gregorian calendar. */
export function january1(year: number): number {
  return (
    365 * (year - 1970) +
    Math.floor((year - 1969) / 4) -
    Math.floor((year - 1901) / 100) +
    Math.floor((year - 1601) / 400)
  );
}

/** Returns whether a year is a leap year. */
export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Returns the year of a day number. */
export function yearOf(day: number): number {
  const year = 1970 + Math.floor(day / 365.2425);
  if (day < january1(year)) return year - 1;
  return day >= january1(year + 1) ? year + 1 : year;
}

/** The day of the year (from 0) on which each month starts; the 13th entry is the length of the year. The second row is for leap years. */
export const MONTH_STARTS = [
  [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365],
  [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366],
] as const;

const MONTHS = MONTH_STARTS.map((starts) => {
  const months = new Uint8Array(starts[12]);
  for (let month = 0; month < 12; month++) months.fill(month, starts[month], starts[month + 1]);
  return months;
});

/** Returns the month (0 to 11) of a day of the year (from 0). */
export function monthOf(offset: number, leap: boolean): number {
  return MONTHS[leap ? 1 : 0]![offset]!;
}

/** The first and the last supported time (wall time or instant, ms). */
export const MIN_TIME = january1(MIN_YEAR) * DAY;
export const MAX_TIME = january1(MAX_YEAR + 1) * DAY - 1;

/** Returns the weekday of a day number; 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Returns the day number of a date, or NaN if the date does not exist. `month` counts from 1. */
export function dayOf(year: number, month: number, day: number): number {
  if (year < MIN_YEAR || year > MAX_YEAR || month < 1 || month > 12 || day < 1) return Number.NaN;
  const starts = MONTH_STARTS[isLeap(year) ? 1 : 0];
  const offset = starts[month - 1]! + day - 1;
  return offset < starts[month]! ? january1(year) + offset : Number.NaN;
}

/** Returns the wall time of a date and time of day, or NaN if it does not exist. A leap second becomes second 59 (RFC 5545 §3.3.12). */
export function wallTime(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  if (hour > 23 || minute > 59 || second > 60) return Number.NaN;
  return dayOf(year, month, day) * DAY + hour * HOUR + minute * 60_000 + Math.min(second, 59) * 1000;
}

/** Parses `YYYY-MM-DDTHH:MM:SS`, the form in which times are stored, in a third of the time of a regular expression. Returns NaN for another form. */
export function readWallTime(text: string): number {
  const isWallTime =
    text.length === 19 &&
    text[4] === '-' &&
    text[7] === '-' &&
    text[10] === 'T' &&
    text[13] === ':' &&
    text[16] === ':';
  if (!isWallTime) return Number.NaN;
  return wallTime(
    readDigits(text, 0, 4),
    readDigits(text, 5, 7),
    readDigits(text, 8, 10),
    readDigits(text, 11, 13),
    readDigits(text, 14, 16),
    readDigits(text, 17, 19),
  );
}

function readDigits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = 10 * value + digit;
  }
  return value;
}

const TIME_TEXT = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?(Z)?)?$/;

/** A parsed time: a day, a wall time, or (with `Z`) an instant. `at` is in ms, with the fields read as UTC. */
export interface TimeText {
  form: 'date' | 'wall' | 'utc';
  at: number;
}

/** Parses `YYYY-MM-DD` and `YYYY-MM-DDTHH:MM:SS[.sss][Z]`. Throws `invalid-time`. */
export function readTimeText(text: string): TimeText {
  const wall = readWallTime(text);
  if (!Number.isNaN(wall)) return { form: 'wall', at: wall };
  const match = TIME_TEXT.exec(text);
  if (match) {
    const date = dayOf(Number(match[1]), Number(match[2]), Number(match[3]));
    if (match[4] === undefined && !Number.isNaN(date)) return { form: 'date', at: date * DAY };
    const time = wallTime(
      Number(match[1]),
      Number(match[2]),
      Number(match[3]),
      Number(match[4]),
      Number(match[5]),
      Number(match[6]),
    );
    const at = time + Number((match[7] ?? '').padEnd(3, '0'));
    if (!Number.isNaN(at)) return { form: match[8] ? 'utc' : 'wall', at };
  }
  throw new RecurrenceError(
    'invalid-time',
    `Invalid time ${JSON.stringify(text.slice(0, 40))}: expected YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS`,
  );
}

/** Parses `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS[.sss]` into a wall time: ms, with the fields read as UTC. Throws `invalid-time`. */
export function parseLocal(text: string): number {
  const { form, at } = readTimeText(text);
  if (form === 'utc') throw new RecurrenceError('invalid-time', `A wall time must not end in Z: ${text}`);
  return at;
}

/** Formats a wall time as `YYYY-MM-DDTHH:MM:SS`, with `.sss` if it has a fraction. The inverse of `parseLocal`. */
export function formatLocal(wall: number): string {
  return new Date(wall).toISOString().replace(/(?:\.000)?Z$/, '');
}
