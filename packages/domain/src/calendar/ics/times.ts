import { formatLocal, parseLocal } from '@firmdesk/recurrence';
import ICAL from 'ical.js';
import { DAY_MS } from '../../platform/clock.ts';
import { instantOf } from '../stored-time.ts';
import { IcsError, type Property } from './properties.ts';
import type { ZoneFinder } from './zones.ts';

/** A DATE, or a DATE-TIME in its zone; `text` as a stored time. */
export interface IcsTime {
  isDate: boolean;
  text: string;
  zone: string;
}

/** What the times of a document are read by. */
export interface TimeReader {
  zones: ZoneFinder;
  /** The zone in which floating times and whole days are understood: the account's. */
  floating: string;
}

/** The values of a DTSTART, DTEND, RECURRENCE-ID, EXDATE or RDATE without periods. Throws `IcsError`. */
export function timesOf(property: Property, name: string, reader: TimeReader): IcsTime[] {
  return property.values.map((value) => readTime(value, property, name, reader));
}

export function readTime(value: unknown, property: Property, name: string, reader: TimeReader): IcsTime {
  // ical.js gives `2026-11-21T09:30:00`, and `2026-11-21T::` for a date that lacks its VALUE=DATE.
  const match = /^(\d{4}-\d\d-\d\d)(?:T(?:::|(\d\d:\d\d:\d\d)(Z)?))?$/.exec(String(value));
  if (!match || !isTime(match[2] ? `${match[1]}T${match[2]}` : match[1]!)) {
    throw new IcsError(`line ${property.line}: ${name} is no time`);
  }
  const [, date, time, utc] = match;
  const tzid = property.params['tzid'];
  const zone = tzid ? reader.zones(tzid, Number(date!.slice(0, 4))) : reader.floating;
  if (time === undefined) return { isDate: true, text: date!, zone };
  // RFC 5545 counts leap seconds as the second before.
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

/** A time as a series in another zone takes it: as it is where the zone is the same, else the instant. */
export function inZone(time: IcsTime, zone: string): string {
  if (time.isDate || time.zone === zone) return time.text;
  return new Date(instantOf(time.text, time.zone)).toISOString();
}

/** The end that a DURATION gives: its days by the calendar, its hours by the clock of the world (RFC 5545 §3.3.6). */
export function endAfter(start: IcsTime, duration: unknown, where: string): IcsTime {
  const text = String(duration);
  if (!/^[+-]?P(?:\d{1,6}W|(?:\d{1,6}D)?(?:T(?:\d{1,8}[HMS])+)?)$/.test(text) || text.endsWith('P')) {
    throw new IcsError(`${where} is no duration`);
  }
  const { weeks, days, hours, minutes, seconds, isNegative } = ICAL.Duration.fromString(text);
  if (isNegative) throw new IcsError(`${where} is negative`);
  const wall = parseLocal(start.text) + (weeks * 7 + days) * DAY_MS;
  const exact = (hours * 3600 + minutes * 60 + seconds) * 1000;
  if (start.isDate) {
    return { ...start, text: formatLocal(wall + Math.floor(exact / DAY_MS) * DAY_MS).slice(0, 10) };
  }
  if (exact === 0) return { ...start, text: formatLocal(wall) };
  const instant = instantOf(formatLocal(wall), start.zone) + exact;
  return { isDate: false, text: new Date(instant).toISOString().slice(0, 19), zone: 'UTC' };
}
