import type { Conference } from '../calendar.entity.ts';
import { EVENT_LIMITS } from '../event-limits.ts';
import type { NewAttendee } from '../new-event.ts';
import { instantOf } from '../stored-time.ts';
import type { Component } from './components.ts';
import { IcsError, type Note, type Properties, propertiesOf, textOf } from './properties.ts';
import { endAfter, type IcsTime, parseTime, type TimeContext, timesOf } from './times.ts';

/** A parsed VEVENT. `series.ts` combines the events of one UID. */
export interface IcsEvent {
  line: number;
  uid: string | null;
  sequence: number;
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

/** The maximum length of a UID, which an index entry can hold. */
const MAX_UID = 500;

/** Reads a VEVENT. Throws `IcsError`. */
export function parseEvent(component: Component, context: TimeContext): IcsEvent {
  if (component.error !== null) throw new IcsError(component.error);
  const notes: Note[] = [];
  const properties = propertiesOf(component, EVENT_PROPERTIES, notes);
  const uid = uidOf(properties);
  const [recurrenceId] = properties.get('RECURRENCE-ID') ?? [];
  const start = firstTime(properties, 'DTSTART', context);
  const organizer = organizerOf(properties);
  const end = endOf(properties, start, context);
  if (start && end && instantOf(end.text, end.zone) < instantOf(start.text, start.zone))
    throw new IcsError('the event ends before it starts');
  const rules = properties.get('RRULE') ?? [];
  if (rules[1])
    notes.push({ line: rules[1].line, message: 'there is more than one RRULE; only the first was used' });
  for (const { line } of properties.get('EXRULE') ?? [])
    notes.push({ line, message: 'EXRULE is obsolete and was ignored' });
  return {
    line: component.line,
    uid,
    sequence: sequenceOf(properties),
    cancelled: textOf(properties, 'STATUS')?.toUpperCase() === 'CANCELLED',
    recurrenceId: recurrenceId
      ? {
          time: timesOf(recurrenceId, 'RECURRENCE-ID', context)[0]!,
          thisAndFuture: recurrenceId.params['range']?.toUpperCase() === 'THISANDFUTURE',
        }
      : null,
    start,
    end,
    rule: textOf(properties, 'RRULE'),
    rdates: (properties.get('RDATE') ?? []).flatMap((property) =>
      property.values.map((value) => {
        if (!Array.isArray(value)) return parseTime(value, property, 'RDATE', context);
        const from = parseTime(value[0], property, 'RDATE', context);
        const isDuration = /^[+-]?P/.test(String(value[1]));
        const end = isDuration
          ? endAfter(from, value[1], `line ${property.line}: RDATE`)
          : parseTime(value[1], property, 'RDATE', context);
        return { start: from, end };
      }),
    ),
    exdates: (properties.get('EXDATE') ?? [])
      // ical.js returns this for an empty value.
      .filter(({ values }) => values[0] !== '--T::')
      .flatMap((property) => timesOf(property, 'EXDATE', context)),
    title: boundedText(properties, 'SUMMARY', EVENT_LIMITS.title),
    description: boundedText(properties, 'DESCRIPTION', EVENT_LIMITS.description),
    location: boundedText(properties, 'LOCATION', EVENT_LIMITS.location),
    organizer,
    attendees: attendeesOf(properties, organizer?.email),
    conference: conferenceOf(properties),
    notes,
  };
}

function uidOf(properties: Properties): string | null {
  return boundedText(properties, 'UID', MAX_UID)?.trim() || null;
}

function boundedText(properties: Properties, name: string, limit: number): string | null {
  const text = textOf(properties, name);
  if (text && text.length > limit) throw new IcsError(`${name} is longer than ${limit} characters`);
  return text;
}

function sequenceOf(properties: Properties): number {
  const text = textOf(properties, 'SEQUENCE')?.trim() ?? '';
  return /^\d{1,10}$/.test(text) ? Math.min(Number(text), 2_147_483_647) : 0;
}

function firstTime(properties: Properties, name: string, context: TimeContext): IcsTime | null {
  const [property] = properties.get(name) ?? [];
  return property ? timesOf(property, name, context)[0]! : null;
}

function endOf(properties: Properties, start: IcsTime | null, context: TimeContext): IcsTime | null {
  const end = firstTime(properties, 'DTEND', context);
  const [duration] = properties.get('DURATION') ?? [];
  if (end || !start || !duration) return end;
  return endAfter(start, duration.values[0], `line ${duration.line}: DURATION`);
}

const RESPONSES: Readonly<Record<string, string>> = {
  'NEEDS-ACTION': 'needs_action',
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
};

/** Returns the address of a `mailto:`, or null if it is invalid. */
function addressOf(value: unknown): string | null {
  const address = String(value)
    .replace(/^mailto:/i, '')
    .trim();
  return address.length <= 254 && /^[^\s@<>]+@[^\s@<>]+$/.test(address) ? address : null;
}

function organizerOf(properties: Properties): IcsEvent['organizer'] {
  const [property] = properties.get('ORGANIZER') ?? [];
  const email = property && addressOf(property.values[0]);
  return email ? { name: property.params['cn'] ?? null, email } : null;
}

function attendeesOf(properties: Properties, organizer: string | undefined): NewAttendee[] {
  return (properties.get('ATTENDEE') ?? []).flatMap(({ values, params }) => {
    const email = addressOf(values[0]);
    if (!email) return [];
    return {
      email,
      name: params['cn'] ?? null,
      response: RESPONSES[params['partstat']?.toUpperCase() ?? ''] ?? 'needs_action',
      is_organizer: email.toLowerCase() === organizer?.toLowerCase(),
      is_optional: params['role']?.toUpperCase() === 'OPT-PARTICIPANT',
    };
  });
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
