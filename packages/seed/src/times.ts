/**
 * The timestamps of an import file: ISO 8601 with an offset, or relative to the time of the import
 * (`now`, `now-P91D`, `now+PT5M`). All arithmetic is in UTC and exact to the microsecond.
 */

/** An invalid timestamp, or one outside the years 0001 to 9999. */
export class TimestampError extends Error {
  override name = 'TimestampError';
}

/** A parsed timestamp: fixed (microseconds since 1970-01-01T00:00Z), or relative to `now`. */
export type Timestamp = { micros: bigint } | { sign: 1 | -1; duration: Duration };

/** An ISO 8601 duration. Months and years depend on the calendar; the other units have a fixed length. */
export type Duration = { months: number; days: number; micros: bigint };

const MICROS_PER_SECOND = 1_000_000n;
const MICROS_PER_DAY = 86_400n * MICROS_PER_SECOND;
const FIRST = microsOf(1, 1, 1);
const LAST = microsOf(9999, 12, 31) + MICROS_PER_DAY - 1n;

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/;
const RELATIVE = /^now(?:([+-])(.+))?$/;
const DURATION =
  /^P(?=\d|T)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,6}))?S)?)?$/;

/**
 * Resolves a timestamp, relative to `now` if it is relative, to UTC with six decimals (`2026-03-01T08:30:00.000000Z`). Both
 * PostgreSQL and `Date` accept this form.
 * @throws TimestampError
 */
export function resolveTimestamp(text: string, now: Date): string {
  const timestamp = parseTimestamp(text);
  const micros =
    'micros' in timestamp
      ? timestamp.micros
      : addDuration(BigInt(now.getTime()) * 1000n, timestamp.duration, timestamp.sign);
  if (micros < FIRST || micros > LAST)
    throw new TimestampError(`"${text}" is outside the years 0001 to 9999`);
  return toIso(micros);
}

/**
 * Parses a timestamp without resolving it.
 * @throws TimestampError
 */
export function parseTimestamp(text: string): Timestamp {
  const relative = RELATIVE.exec(text);
  if (relative) {
    const [, sign, duration] = relative;
    return {
      sign: sign === '-' ? -1 : 1,
      duration: duration === undefined ? { months: 0, days: 0, micros: 0n } : parseDuration(duration),
    };
  }
  const parts = INSTANT.exec(text);
  if (!parts) {
    throw new TimestampError(
      `"${text}" is not a timestamp: expected ISO 8601 with an offset (2026-03-01T09:30:00+01:00), or now, now-P91D, now+PT5M`,
    );
  }
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = parts;
  const midnight = microsOf(Number(year), Number(month), Number(day));
  const exists =
    toIso(midnight).startsWith(`${year}-${month}-${day}`) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second ?? 0) < 60 &&
    Number(offsetHour ?? 0) < 24 &&
    Number(offsetMinute ?? 0) < 60;
  if (!exists || year === '0000') throw new TimestampError(`"${text}" is not an existing day and time`);
  const offset = timeOf(offsetHour, offsetMinute) * (sign === '-' ? -1n : 1n);
  return { micros: midnight + timeOf(hour, minute, second, fraction) - offset };
}

/**
 * Parses an ISO 8601 duration (`P1Y2M`, `P2W`, `PT36H`, `PT0.5S`): integers, and seconds with up to six decimals.
 * @throws TimestampError
 */
export function parseDuration(text: string): Duration {
  const parts = DURATION.exec(text);
  if (!parts)
    throw new TimestampError(`"${text}" is not an ISO 8601 duration such as P91D, P1M, PT5M or P1DT12H`);
  const [, years, months, weeks, days, hours, minutes, seconds, fraction] = parts;
  return {
    months: Number(years ?? 0) * 12 + Number(months ?? 0),
    days: Number(weeks ?? 0) * 7 + Number(days ?? 0),
    micros: timeOf(hours, minutes, seconds, fraction),
  };
}

/** Adds months first, to at most the last day of the resulting month (31 March minus a month is the last of February). */
function addDuration(micros: bigint, duration: Duration, sign: 1 | -1): bigint {
  const fixed = BigInt(duration.days) * MICROS_PER_DAY + duration.micros;
  const from = new Date(Number(micros / 1000n));
  const month = from.getUTCFullYear() * 12 + from.getUTCMonth() + sign * duration.months;
  const lastDay = new Date(0);
  lastDay.setUTCFullYear(Math.floor(month / 12), (((month % 12) + 12) % 12) + 1, 0);
  if (Number.isNaN(lastDay.getTime())) return LAST + 1n;
  const moved = microsOf(
    lastDay.getUTCFullYear(),
    lastDay.getUTCMonth() + 1,
    Math.min(from.getUTCDate(), lastDay.getUTCDate()),
  );
  const timeOfDay = ((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY;
  return moved + timeOfDay + BigInt(sign) * fixed;
}

/** Returns midnight UTC of a day. `Date.UTC` would map the years 0 to 99 to 1900 to 1999. */
function microsOf(year: number, month: number, day: number): bigint {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return BigInt(date.getTime()) * 1000n;
}

function timeOf(hours = '0', minutes = '0', seconds = '0', fraction = ''): bigint {
  const whole = BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
  return whole * MICROS_PER_SECOND + BigInt(fraction.padEnd(6, '0'));
}

function toIso(micros: bigint): string {
  const belowMilli = ((micros % 1000n) + 1000n) % 1000n;
  const iso = new Date(Number((micros - belowMilli) / 1000n)).toISOString();
  return `${iso.slice(0, -1)}${belowMilli.toString().padStart(3, '0')}Z`;
}
