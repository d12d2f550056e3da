import type { StoredEvent } from '../events/new-event.ts';
import { isRecurring } from '../events/series.ts';
import { instantOf } from '../events/stored-time.ts';
import { writeZone } from './write-zone.ts';

/** The methods of iTIP (RFC 5546) that are sent. */
export type ItipMethod = 'REQUEST' | 'REPLY' | 'CANCEL';

interface IcsOptions {
  /** Null for a file that is not sent. */
  method: ItipMethod | null;
  /** DTSTAMP (ISO 8601). */
  stamp: string;
}

/** Returns an event with its overrides as an iCalendar document (RFC 5545). The event has a UID. */
export function writeIcs(event: StoredEvent, { method, stamp }: IcsOptions): string {
  const repeats = isRecurring({ recurrence_rule: event.recurrence_rule, added_dates: event.rdates });
  // Only a series needs its zone: its wall time stays when the offset changes.
  const zone = repeats && !event.all_day && event.timezone !== 'UTC' ? event.timezone : null;
  const times: TimeForm = { zone: event.timezone, allDay: event.all_day, tzid: zone };
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Firmdesk//Firmdesk//EN',
    'CALSCALE:GREGORIAN',
    ...(method ? [`METHOD:${method}`] : []),
    ...(zone ? writeZone(zone, instantOf(event.starts_at, zone)) : []),
  ];
  const components = [
    seriesLines(event, times, { method, stamp }),
    ...(method === 'CANCEL' || method === 'REPLY'
      ? []
      : event.overrides.flatMap((override) =>
          override.cancelled ? [] : [overrideLines(event, override, times, stamp)],
        )),
  ];
  return [...head, ...components.flat(), 'END:VCALENDAR', ''].map(folded).join('\r\n');
}

/** How the times of an event are written. `tzid` is null where they are instants. */
interface TimeForm {
  zone: string;
  allDay: boolean;
  tzid: string | null;
}

function seriesLines(event: StoredEvent, times: TimeForm, { method, stamp }: IcsOptions): string[] {
  const cancelled = event.overrides.filter(({ cancelled }) => cancelled);
  const excluded = [...event.exdates, ...cancelled.map(({ occurrence_start }) => occurrence_start)];
  return [
    'BEGIN:VEVENT',
    ...identityLines(event, stamp),
    time('DTSTART', event.starts_at, times),
    time('DTEND', event.ends_at, times),
    ...(event.recurrence_rule ? [`RRULE:${event.recurrence_rule}`] : []),
    ...event.rdates.map((date) => addedLine(date, times)),
    ...excluded.map((date) => time('EXDATE', date, times)),
    ...textLines(event),
    ...(method === 'CANCEL' ? ['STATUS:CANCELLED'] : method === null ? [] : ['STATUS:CONFIRMED']),
    ...(event.conference?.url ? [`CONFERENCE;VALUE=URI:${uri(event.conference.url)}`] : []),
    ...peopleLines(event),
    'END:VEVENT',
  ];
}

function overrideLines(
  event: StoredEvent,
  override: StoredEvent['overrides'][number],
  times: TimeForm,
  stamp: string,
): string[] {
  const allDay = override.all_day ?? event.all_day;
  const form = { ...times, allDay };
  const { start, end } = overrideTimes(event, override);
  const range = override.this_and_future ? ';RANGE=THISANDFUTURE' : '';
  return [
    'BEGIN:VEVENT',
    ...identityLines({ ...event, sequence: Math.max(event.sequence ?? 0, override.sequence ?? 0) }, stamp),
    time(`RECURRENCE-ID${range}`, override.occurrence_start, times),
    time('DTSTART', start, form),
    time('DTEND', end, form),
    ...textLines({
      title: override.title ?? event.title,
      description: override.description ?? event.description,
      location: override.location ?? event.location,
    }),
    'STATUS:CONFIRMED',
    ...peopleLines(event),
    'END:VEVENT',
  ];
}

/** Returns the times of an override. Without an end of its own, it is as long as the first occurrence. */
function overrideTimes(
  event: StoredEvent,
  override: StoredEvent['overrides'][number],
): { start: string; end: string } {
  const start = override.starts_at ?? override.occurrence_start;
  if (override.ends_at) return { start, end: override.ends_at };
  const length = instantOf(event.ends_at, event.timezone) - instantOf(event.starts_at, event.timezone);
  const end = new Date(instantOf(start, event.timezone) + length).toISOString();
  return { start, end: event.all_day ? end.slice(0, 10) : `${end.slice(0, 19)}Z` };
}

function identityLines({ uid, sequence }: Pick<StoredEvent, 'uid' | 'sequence'>, stamp: string): string[] {
  return [`UID:${text(uid ?? '')}`, `SEQUENCE:${sequence ?? 0}`, `DTSTAMP:${utc(Date.parse(stamp))}`];
}

function textLines({
  title,
  description,
  location,
}: Pick<StoredEvent, 'title' | 'description' | 'location'>): string[] {
  return [
    `SUMMARY:${text(title)}`,
    ...(description ? [`DESCRIPTION:${text(description)}`] : []),
    ...(location ? [`LOCATION:${text(location)}`] : []),
  ];
}

const PARTICIPATION: Readonly<Record<string, string>> = {
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
};

function peopleLines({ organizer, attendees }: StoredEvent): string[] {
  const lines = attendees.map(({ name, email, response, is_optional }) => {
    const role = is_optional ? 'OPT-PARTICIPANT' : 'REQ-PARTICIPANT';
    const state = PARTICIPATION[response ?? ''] ?? 'NEEDS-ACTION';
    const rsvp = state === 'NEEDS-ACTION' ? ';RSVP=TRUE' : '';
    return `ATTENDEE;ROLE=${role};PARTSTAT=${state}${rsvp}${commonName(name)}:mailto:${uri(email)}`;
  });
  if (!organizer) return lines;
  return [`ORGANIZER${commonName(organizer.name)}:mailto:${uri(organizer.email)}`, ...lines];
}

function commonName(name: string | null | undefined): string {
  return name ? `;CN="${parameter(name)}"` : '';
}

function addedLine(date: StoredEvent['rdates'][number], times: TimeForm): string {
  if (typeof date === 'string') return time('RDATE', date, times);
  const [start, end] = [date.start, date.end].map((stored) => utc(instantOf(stored, times.zone)));
  return `RDATE;VALUE=PERIOD:${start}/${end}`;
}

/** Returns a property with a stored time: a date, a wall time in its zone, or an instant. */
function time(property: string, stored: string, { zone, allDay, tzid }: TimeForm): string {
  if (allDay) return `${property};VALUE=DATE:${stored.slice(0, 10).replaceAll('-', '')}`;
  const isWall = tzid !== null && !stored.endsWith('Z') && stored.length > 10;
  if (isWall) return `${property};TZID=${tzid}:${stored.replaceAll(/[-:]/g, '')}`;
  return `${property}:${utc(instantOf(stored, zone))}`;
}

function utc(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Returns a text value with its escapes. Other control characters are left out. */
function text(value: string): string {
  return withoutControls(value.replaceAll(/\r\n?/g, '\n'))
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n');
}

/** Returns the value of a parameter with the escapes of RFC 6868. */
function parameter(value: string): string {
  return withoutControls(value.replaceAll(/\s/g, ' ')).replaceAll('^', '^^').replaceAll('"', "^'");
}

function uri(value: string): string {
  return withoutControls(value).replaceAll(/\s/g, '');
}

function withoutControls(value: string): string {
  return value.replaceAll(/[\p{Cc}--[\n\t]]/gv, '');
}

/** Folds a line after 75 bytes (RFC 5545 §3.1), not inside a character. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 75) {
      parts.push(part);
      part = ' ';
      bytes = 1;
    }
    part += character;
    bytes += size;
  }
  return [...parts, part].join('\r\n');
}
