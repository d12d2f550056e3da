import { formatLocal, parseLocal } from '@firmdesk/recurrence';
import ICAL from 'ical.js';
import { DAY_MS } from '../../platform/clock.ts';
import { instantOf } from '../stored-time.ts';
import { IcsError, type Property } from './properties.ts';
import type { ZoneFinder } from './zones.ts';

/** A DATE, or a DATE-TIME in its zone. `text` is a stored time. */
export interface IcsTime {
  isDate: boolean;
  text: string;
  zone: string;
}

/** The context for parsing the times of a document. */
export interface TimeContext {
  zones: ZoneFinder;
  /** The zone of floating times and whole days, which is that of the account. */
  floatingZone: string;
}

/** Returns the values of a DTSTART, DTEND, RECURRENCE-ID, EXDATE or RDATE without periods. Throws `IcsError`. */
export function timesOf(property: Property, name: string, context: TimeContext): IcsTime[] {
  return property.values.map((value) => parseTime(value, property, name, context));
}

/** Returns one value of a property as a time. Throws `IcsError`. */
export function parseTime(value: unknown, property: Property, name: string, context: TimeContext): IcsTime {
  // ical.js returns `2026-11-21T09:30:00`, and `2026-11-21T::` for a date without VALUE=DATE.
  const match = /^(\d{4}-\d\d-\d\d)(?:T(?:::|(\d\d:\d\d:\d\d)(Z)?))?$/.exec(String(value));
  if (!match || !isTime(match[2] ? `${match[1]}T${match[2]}` : match[1]!)) {
    throw new IcsError(`line ${property.line}: ${name} is not a valid time`);
  }
  const [, date, time, utc] = match;
  const tzid = property.params['tzid'];
  const zone = tzid ? context.zones(tzid, Number(date!.slice(0, 4))) : context.floatingZone;
  if (time === undefined) return { isDate: true, text: date!, zone };
  // A leap second becomes second 59 (RFC 5545 §3.3.12).
  const wall = `${date}T${time.replace(/:60$/, ':59')}`;
  return { isDate: false, text: wall, zone: utc ? 'UTC' : zone };
}

function isTime(text: string): boolean {
  try {
    parseLocal(text);
    return true;
  } catch {
    return false;
  }
}

/** Converts a time for a series in a zone: it stays in the same zone, and becomes an instant otherwise. */
export function inZone(time: IcsTime, zone: string): string {
  if (time.isDate || time.zone === zone) return time.text;
  return new Date(instantOf(time.text, time.zone)).toISOString();
}

/** Returns the end of a DURATION. Days are calendar days, hours are elapsed time (RFC 5545 §3.3.6). */
export function endAfter(start: IcsTime, duration: unknown, where: string): IcsTime {
  const text = String(duration);
  if (!/^[+-]?P(?:\d{1,6}W|(?:\d{1,6}D)?(?:T(?:\d{1,8}[HMS])+)?)$/.test(text) || text.endsWith('P')) {
    throw new IcsError(`${where} is not a valid duration`);
  }
  const { weeks, days, hours, minutes, seconds, isNegative } = ICAL.Duration.fromString(text);
  if (isNegative) throw new IcsError(`${where} must not be negative`);
  const wall = parseLocal(start.text) + (weeks * 7 + days) * DAY_MS;
  const exact = (hours * 3600 + minutes * 60 + seconds) * 1000;
  if (start.isDate) {
    return { ...start, text: formatLocal(wall + Math.floor(exact / DAY_MS) * DAY_MS).slice(0, 10) };
  }
  if (exact === 0) return { ...start, text: formatLocal(wall) };
  const instant = instantOf(formatLocal(wall), start.zone) + exact;
  return { isDate: false, text: new Date(instant).toISOString().slice(0, 19), zone: 'UTC' };
}
