import { createHash } from 'node:crypto';
import type { Conference } from '../calendar.entity.ts';
import { EVENT_LIMITS } from '../events/event-limits.ts';
import type { NewAttendee } from '../events/new-event.ts';
import { toStorableInstant } from '../events/override-rows.ts';
import { instantOf } from '../events/stored-time.ts';
import type { Component } from './components.ts';
import { propertyNameOf } from './content-line.ts';
import { IcsError, type Note, type Properties, type Property, propertiesOf, textOf } from './properties.ts';
import { endAfter, type IcsTime, parseTime, type TimeContext } from './times.ts';
import type { ZoneFinder } from './zone-finder.ts';

/** A parsed VEVENT. `series.ts` combines the events of one UID. */
export interface IcsEvent {
  line: number;
  uid: string | null;
  sequence: number;
  /** DTSTAMP, as an instant. */
  stamp: string | null;
  cancelled: boolean;
  recurrenceId: { time: IcsTime; thisAndFuture: boolean } | null;
  start: IcsTime | null;
  /** Null without DTEND and DURATION. */
  end: IcsTime | null;
  rule: string | null;
  rdates: (IcsTime | { start: IcsTime; end: IcsTime })[];
  exdates: IcsTime[];
  title: string | null;
  description: string | null;
  location: string | null;
  organizer: { name: string | null; email: string } | null;
  attendees: NewAttendee[];
  conference: Conference | null;
  notes: Note[];
}

/** The properties of a VEVENT that are read. */
const EVENT_PROPERTIES = new Set([
  'UID',
  'SEQUENCE',
  'DTSTAMP',
  'STATUS',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RECURRENCE-ID',
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
  'SUMMARY',
  'DESCRIPTION',
  'LOCATION',
  'ORGANIZER',
  'ATTENDEE',
  'CONFERENCE',
  'X-GOOGLE-CONFERENCE',
  'X-MICROSOFT-SKYPETEAMSMEETINGURL',
]);

/** The maximum length of a UID, which an index entry can hold. A longer one is stored as its hash. */
const MAX_UID = 500;

const MAX_URI = 2_000;
const MAX_ADDRESS = 254;
const MAX_NAME = 200;

/** The maximum number of notes on an event. */
const MAX_NOTES = 100;

/** An address as `mailto:` has it, without quotes. */
const ADDRESS = /^[^\s\p{Cc}@<>:;,"()[\]\\]+@[^\s\p{Cc}@<>:;,"()[\]\\]+$/u;

/** Runs a function that reads a property other than the start. What cannot be read is left out, with a note. */
type Attempt = <T>(line: number, read: () => T) => T | null;

/**
 * Reads a VEVENT. Only its start and its identity are essential: another property that cannot be read is left out, and one that is too long
 * is cut, with a note. Throws `IcsError`.
 */
export function parseEvent(component: Component, context: TimeContext): IcsEvent {
  if (component.error !== null) throw new IcsError(component.error);
  const notes: Note[] = [];
  const attempt: Attempt = (line, read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof IcsError)) throw error;
      notes.push({ line, message: `${error.message.replace(/^line \d+: /, '')}; it was left out` });
      return null;
    }
  };
  const properties = propertiesOf(component, EVENT_PROPERTIES, notes);
  const [recurrenceId] = properties.get('RECURRENCE-ID') ?? [];
  if (!recurrenceId && component.lines.some(({ text }) => propertyNameOf(text) === 'RECURRENCE-ID'))
    throw new IcsError('RECURRENCE-ID cannot be read');
  const [startProperty] = properties.get('DTSTART') ?? [];
  const start = startProperty ? firstTime(startProperty, 'DTSTART', context) : null;
  const dates = start?.isDate ? { ...context, zones: zoneOrUtc(context.zones) } : context;
  const organizer = organizerOf(properties, notes);
  const rules = properties.get('RRULE') ?? [];
  if (rules[1])
    notes.push({ line: rules[1].line, message: 'there is more than one RRULE; only the first was used' });
  for (const { line } of properties.get('EXRULE') ?? [])
    notes.push({ line, message: 'EXRULE is obsolete and was ignored' });
  return {
    line: component.line,
    uid: uidOf(properties),
    sequence: sequenceOf(properties),
    stamp: stampOf(properties, context, attempt),
    cancelled: textOf(properties, 'STATUS')?.trim().toUpperCase() === 'CANCELLED',
    recurrenceId: recurrenceId
      ? {
          time: firstTime(recurrenceId, 'RECURRENCE-ID', dates),
          thisAndFuture: recurrenceId.params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
        }
      : null,
    start,
    end: start && endOf(properties, start, context, attempt),
    rule: textOf(properties, 'RRULE'),
    rdates: listOf(properties, 'RDATE', notes, attempt, (value, property) => {
      if (!Array.isArray(value)) return parseTime(value, property, 'RDATE', dates);
      const from = parseTime(value[0], property, 'RDATE', dates);
      const isDuration = /^[+-]?P/.test(String(value[1]));
      const end = isDuration
        ? endAfter(from, value[1], `line ${property.line}: RDATE`)
        : parseTime(value[1], property, 'RDATE', dates);
      return { start: from, end };
    }),
    exdates: listOf(properties, 'EXDATE', notes, attempt, (value, property) =>
      parseTime(value, property, 'EXDATE', dates),
    ),
    title: boundedText(properties, 'SUMMARY', EVENT_LIMITS.title, notes),
    description: boundedText(properties, 'DESCRIPTION', EVENT_LIMITS.description, notes),
    location: boundedText(properties, 'LOCATION', EVENT_LIMITS.location, notes),
    organizer,
    attendees: attendeesOf(properties, organizer?.email, notes),
    conference: conferenceOf(properties),
    notes: limitNotes(component.line, notes),
  };
}

/**
 * Reads a zone that is not known as UTC. Of the dates of an all-day series, only the written date counts. An all-day event can also replace
 * an occurrence of a timed series, which its zone identifies.
 */
function zoneOrUtc(zones: ZoneFinder): ZoneFinder {
  return (tzid, wall) => {
    try {
      return zones(tzid, wall);
    } catch (error) {
      if (error instanceof IcsError) return 'UTC';
      throw error;
    }
  };
}

function limitNotes(line: number, notes: readonly Note[]): Note[] {
  if (notes.length <= MAX_NOTES) return [...notes];
  const message = `${notes.length - MAX_NOTES} further notes on this event are not shown`;
  return [...notes.slice(0, MAX_NOTES), { line, message }];
}

function uidOf(properties: Properties): string | null {
  const uid = textOf(properties, 'UID')?.trim() || null;
  return uid && uid.length > MAX_UID ? `sha256:${createHash('sha256').update(uid).digest('hex')}` : uid;
}

/** Returns a text, which is cut at a limit. */
function boundedText(properties: Properties, name: string, limit: number, notes: Note[]): string | null {
  const text = textOf(properties, name);
  if (!text || text.length <= limit) return text;
  const { line } = properties.get(name)![0]!;
  notes.push({ line, message: `${name} is longer than ${limit} characters and was cut` });
  return cut(text, limit);
}

/** Cuts a text at a limit, not inside a character. */
function cut(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}

function sequenceOf(properties: Properties): number {
  const text = textOf(properties, 'SEQUENCE')?.trim() ?? '';
  return /^\d{1,10}$/.test(text) ? Math.min(Number(text), 2_147_483_647) : 0;
}

/** Returns the instant of DTSTAMP. */
function stampOf(properties: Properties, context: TimeContext, attempt: Attempt): string | null {
  const [property] = properties.get('DTSTAMP') ?? [];
  if (!property) return null;
  return attempt(property.line, () => {
    const { text, zone } = firstTime(property, 'DTSTAMP', context);
    return toStorableInstant(instantOf(text, zone));
  });
}

/** Returns the first value of a property. Throws `IcsError`. */
function firstTime(property: Property, name: string, context: TimeContext): IcsTime {
  return parseTime(property.values[0], property, name, context);
}

/** Returns the values of a property with lists, which are cut at a limit. */
function listOf<T>(
  properties: Properties,
  name: string,
  notes: Note[],
  attempt: Attempt,
  read: (value: unknown, property: Property) => T,
): T[] {
  const list: T[] = [];
  for (const property of properties.get(name) ?? []) {
    for (const value of property.values) {
      if (list.length >= EVENT_LIMITS.dates) {
        notes.push({
          line: property.line,
          message: `${name} has more than ${EVENT_LIMITS.dates} values and was cut`,
        });
        return list;
      }
      const item = attempt(property.line, () => read(value, property));
      if (item) list.push(item);
    }
  }
  return list;
}

/** Returns the end: of DTEND, or of DURATION. */
function endOf(
  properties: Properties,
  start: IcsTime,
  context: TimeContext,
  attempt: Attempt,
): IcsTime | null {
  const [property] = properties.get('DTEND') ?? [];
  const end =
    property && attempt(property.line, () => notBefore(start, firstTime(property, 'DTEND', context)));
  const [duration] = properties.get('DURATION') ?? [];
  if (end || !duration) return end ?? null;
  return attempt(duration.line, () => endAfter(start, duration.values[0], `line ${duration.line}: DURATION`));
}

function notBefore(start: IcsTime, end: IcsTime): IcsTime {
  if (instantOf(end.text, end.zone) < instantOf(start.text, start.zone))
    throw new IcsError('DTEND is before the start');
  return end;
}

const RESPONSES: Readonly<Record<string, string>> = {
  'NEEDS-ACTION': 'needs_action',
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
};

/** Returns the address of an attendee: the EMAIL parameter (RFC 7986 §6.2), because the value can be a URI of a server or an alias, or else the value. */
function addressOf({ params, values }: Property): string | null {
  return addressIn(params.get('EMAIL') ?? '') ?? addressIn(String(values[0] ?? ''));
}

/** Returns the address in a text or a `mailto:`, which is percent-encoded (RFC 6068 §2), or null if it has none. */
function addressIn(text: string): string | null {
  const isMailto = /^\s*mailto:/i.test(text);
  const uri = text.slice(0, MAX_URI).replace(/^\s*mailto:/i, '');
  const address = (isMailto ? percentDecoded(uri.split('?', 1)[0]!) : uri).trim();
  const [, bracketed = address] = /<([^<>]{1,254})>$/.exec(address) ?? [];
  const plain = bracketed.replace(/^mailto:/i, '').replace(/^["']|["']$/g, '');
  return plain.length <= MAX_ADDRESS && ADDRESS.test(plain) ? plain : null;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nameIn(params: Property['params']): string | null {
  return cut(params.get('CN') ?? '', MAX_NAME) || null;
}

function organizerOf(properties: Properties, notes: Note[]): IcsEvent['organizer'] {
  const [property] = properties.get('ORGANIZER') ?? [];
  if (!property) return null;
  const email = addressOf(property);
  if (!email) notes.push({ line: property.line, message: 'ORGANIZER has no email address and was left out' });
  return email ? { name: nameIn(property.params), email } : null;
}

function attendeesOf(properties: Properties, organizer: string | undefined, notes: Note[]): NewAttendee[] {
  const attendees: NewAttendee[] = [];
  for (const property of properties.get('ATTENDEE') ?? []) {
    const { line, params } = property;
    const email = addressOf(property);
    if (!email) {
      notes.push({ line, message: 'ATTENDEE has no email address and was left out' });
    } else if (attendees.length < EVENT_LIMITS.attendees) {
      attendees.push({
        email,
        name: nameIn(params),
        response: RESPONSES[params.get('PARTSTAT')?.toUpperCase() ?? ''] ?? 'needs_action',
        is_organizer: email.toLowerCase() === organizer?.toLowerCase(),
        is_optional: params.get('ROLE')?.toUpperCase() === 'OPT-PARTICIPANT',
      });
    } else {
      notes.push({
        line,
        message: `the event has more than ${EVENT_LIMITS.attendees} attendees; the others were left out`,
      });
      break;
    }
  }
  return attendees;
}

const PROVIDERS: readonly [host: RegExp, provider: string][] = [
  [/(^|\.)zoom\.us$/, 'zoom'],
  [/^meet\.google\.com$/, 'google_meet'],
  [/^teams\.(microsoft|live)\.com$/, 'teams'],
];

/** Returns the video call: from a property for it, or from a location that is a URL of a known provider. */
function conferenceOf(properties: Properties): Conference | null {
  const stated =
    textOf(properties, 'CONFERENCE') ??
    textOf(properties, 'X-GOOGLE-CONFERENCE') ??
    textOf(properties, 'X-MICROSOFT-SKYPETEAMSMEETINGURL');
  const text = (stated ?? textOf(properties, 'LOCATION') ?? '').trim();
  if (!/^https:\/\/\S+$/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const provider = PROVIDERS.find(([host]) => host.test(url.hostname))?.[1];
  if (!provider && stated === null) return null;
  return { provider: provider ?? 'other', url: url.href, meeting_id: null, passcode: null };
}
