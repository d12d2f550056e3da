import { formatLocal, parseLocal } from '@firmdesk/recurrence';
import ICAL from 'ical.js';
import { DAY_MS } from '../../platform/process/clock.ts';
import { instantOf } from '../events/stored-time.ts';
import { IcsError, type Property } from './properties.ts';
import type { ZoneFinder } from './zone-finder.ts';

/** A DATE, or a DATE-TIME in its zone. `text` is a stored time. */
export interface IcsTime {
  isDate: boolean;
  text: string;
  zone: string;
  /** The date as written, whatever its zone. */
  date: string;
  /** Whether its zone is none of IANA's, so that only its instant is known: `zone` is UTC. */
  isInstant: boolean;
}

/** The context for parsing the times of a document. */
export interface TimeContext {
  zones: ZoneFinder;
  /** The zone of floating times and whole days, which is that of the account. */
  floatingZone: string;
}

/** Returns one value of a property as a time. Throws `IcsError`. */
export function parseTime(value: unknown, property: Property, name: string, context: TimeContext): IcsTime {
  // ical.js returns `2026-11-21T09:30:00`, and `2026-11-21T::` for a date without VALUE=DATE.
  const match = /^(\d{4}-\d\d-\d\d)(?:T(?:::|(\d\d:\d\d:\d\d)(Z)?))?$/.exec(String(value));
  if (!match || !isTime(match[2] ? `${match[1]}T${match[2]}` : match[1]!)) {
    throw new IcsError(`line ${property.line}: ${name} is not a valid time`);
  }
  const [, date, time, utc] = match;
  const written = { date: date!, isInstant: false };
  // A TZID does not apply to a date or a time in UTC (RFC 5545 §3.2.19).
  if (time === undefined) return { isDate: true, text: date!, zone: context.floatingZone, ...written };
  // A leap second becomes second 59 (RFC 5545 §3.3.12).
  const wall = `${date}T${time.replace(/:60$/, ':59')}`;
  if (utc) return { isDate: false, text: wall, zone: 'UTC', ...written };
  const tzid = property.params.get('TZID');
  if (!tzid) return { isDate: false, text: wall, zone: context.floatingZone, ...written };
  const zone = context.zones(tzid, parseLocal(wall));
  if (typeof zone === 'string') return { isDate: false, text: wall, zone, ...written };
  const text = new Date(zone.instant).toISOString().slice(0, 19);
  return { isDate: false, text, zone: 'UTC', date: date!, isInstant: true };
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
  const length = String(duration);
  if (!/^[+-]?P(?:\d{1,6}W|(?:\d{1,6}D)?(?:T(?:\d{1,8}[HMS])+)?)$/.test(length) || length.endsWith('P')) {
    throw new IcsError(`${where} is not a valid duration`);
  }
  const { weeks, days, hours, minutes, seconds, isNegative } = ICAL.Duration.fromString(length);
  if (isNegative) throw new IcsError(`${where} must not be negative`);
  const wall = parseLocal(start.text) + (weeks * 7 + days) * DAY_MS;
  const exact = (hours * 3600 + minutes * 60 + seconds) * 1000;
  if (start.isDate) {
    const text = formatLocal(wall + Math.floor(exact / DAY_MS) * DAY_MS).slice(0, 10);
    return { ...start, text, date: text };
  }
  if (exact === 0) {
    const text = formatLocal(wall);
    return { ...start, text, date: text.slice(0, 10) };
  }
  const instant = instantOf(formatLocal(wall), start.zone) + exact;
  const end = new Date(instant).toISOString().slice(0, 19);
  return { isDate: false, text: end, zone: 'UTC', date: end.slice(0, 10), isInstant: false };
}
