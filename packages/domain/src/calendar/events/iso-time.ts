import { localToUtc, parseLocal } from '@firmdesk/recurrence';

/** The first and the last instant of the years 1 to 9999, in UTC. */
export const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

const ISO_TIME =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+ -])(\d\d)(?::?(\d\d))?)?)?$/i;

/** A parsed ISO 8601 date or date-time: a wall time, or with an offset an instant; in ms. The date must exist. */
export interface IsoTime {
  form: 'date' | 'wall' | 'instant';
  at: number;
}

/** Parses a date or date-time; returns null if it is invalid. Accepts a space for the `+` of an offset, because query strings decode `+` as a space. */
export function parseIsoTime(text: string): IsoTime | null {
  const match = ISO_TIME.exec(text);
  if (!match) return null;
  const [, date, time, seconds = '00', fraction = '', utc, sign, hours, minutes = '00'] = match;
  const wall = parseWallTime(`${date}T${time ?? '00:00'}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`);
  if (wall === null || Number(hours ?? 0) > 23 || Number(minutes) > 59) return null;
  if (time === undefined) return { form: 'date', at: wall };
  if (!utc && !sign) return { form: 'wall', at: wall };
  const offset = utc ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return { form: 'instant', at: wall - offset };
}

/** Returns the instant of a moment, which is in the zone if it has no offset. Returns null outside the years 1 to 9999. */
export function instantIn(zone: string, { form, at }: IsoTime): number | null {
  const instant = form === 'instant' ? at : localToUtc(at, zone);
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : null;
}

function parseWallTime(text: string): number | null {
  try {
    return parseLocal(text);
  } catch {
    return null;
  }
}
