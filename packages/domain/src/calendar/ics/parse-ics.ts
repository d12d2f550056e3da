import { RecurrenceError } from '@firmdesk/recurrence';
import { EventFieldError } from '../events/event-error.ts';
import { compareVersions } from '../invitations/invitation-version.ts';
import { type Component, componentsNamed, parseComponents } from './components.ts';
import { propertyNameOf } from './content-line.ts';
import { type IcsEvent, parseEvent } from './event.ts';
import type { IcsSeries } from './ics-series.ts';
import { IcsError, type Note } from './properties.ts';
import type { TimeContext } from './times.ts';
import { zoneFinders } from './zone-finder.ts';

/** Limits of a document. */
export const ICS_LIMITS = { characters: 20_000_000, events: 10_000 } as const;

export interface Refusal {
  /** The line of its BEGIN:VEVENT, from 1. */
  line: number;
  uid: string | null;
  reason: string;
}

export interface IcsDocument {
  /** The METHOD of its first iCalendar object that has one, in upper case. */
  method: string | null;
  /** The number of VEVENTs in the document, valid or not. */
  events: number;
  /** One per UID, in the order of the document. */
  series: IcsSeries[];
  refused: Refusal[];
  notes: Note[];
}

/**
 * Parses an iCalendar document (RFC 5545). Each invalid event is refused, and the others are kept. Floating times and whole days are in the zone
 * `floatingZone`.
 */
export function parseIcs(
  document: string | Uint8Array,
  floatingZone: string,
  maxEvents: number = ICS_LIMITS.events,
): IcsDocument {
  const read: IcsDocument = { method: null, events: 0, series: [], refused: [], notes: [] };
  if (document.length > ICS_LIMITS.characters) {
    const reason = `the document has more than ${ICS_LIMITS.characters} characters`;
    read.refused.push({ line: 1, uid: null, reason });
    return read;
  }
  const events: IcsEvent[] = [];
  const findZones = zoneFinders();
  for (const object of objectsOf(parseComponents(document))) {
    read.method ??= methodOf(object);
    const context: TimeContext = { zones: findZones(object.children), floatingZone };
    for (const component of componentsNamed('VEVENT', object.children)) {
      const { line } = component;
      const uid = rawUidOf(component);
      if (read.events++ >= maxEvents) {
        read.refused.push({ line, uid, reason: `a document can have at most ${maxEvents} events` });
        continue;
      }
      const event = attempt({ line, uid }, read.refused, () => parseEvent(component, context));
      if (event) events.push(event);
    }
  }
  if (read.events === 0) read.notes.push({ line: 1, message: 'the document has no event' });
  read.series = bySeries(events, read);
  for (const { notes } of events) read.notes.push(...notes);
  return read;
}

type IcsObject = Pick<Component, 'lines' | 'children'>;

/** Returns the iCalendar objects of a document, which a joined file has several of, and one for what is outside of them. */
function objectsOf(components: readonly Component[]): IcsObject[] {
  const isObject = ({ name }: Component) => name === 'VCALENDAR';
  const inner = components.filter(isObject).flatMap(({ lines, children }) => [
    { lines, children: children.filter((child) => !isObject(child)) },
    // An object that is not closed contains the next one.
    ...objectsOf(children.filter(isObject)),
  ]);
  const outside = components.filter((component) => !isObject(component));
  return outside.length > 0 ? [...inner, { lines: [], children: outside }] : inner;
}

function methodOf({ lines }: IcsObject): string | null {
  const line = lines.find(({ text }) => propertyNameOf(text) === 'METHOD');
  return (
    line?.text
      .slice(line.text.indexOf(':') + 1)
      .trim()
      .toUpperCase() || null
  );
}

/** Runs a function. If it throws an error of the event, adds a refusal and returns undefined. */
export function attempt<T>(
  event: { line: number; uid: string | null },
  refused: Refusal[],
  run: () => T,
): T | undefined {
  try {
    return run();
  } catch (error) {
    refused.push(refusalOf(event, error));
    return undefined;
  }
}

/** Converts an error of an event into a refusal. Rethrows any other error. */
export function refusalOf({ line, uid }: { line: number; uid: string | null }, error: unknown): Refusal {
  if (error instanceof IcsError || error instanceof RecurrenceError || error instanceof EventFieldError)
    return { line, uid, reason: error.message };
  throw error;
}

/** Groups events by UID. Of two masters, the later version counts; if they are equal, the later one. */
function bySeries(events: readonly IcsEvent[], { refused, notes }: IcsDocument): IcsSeries[] {
  const found: IcsSeries[] = [];
  const byUid = new Map<string, IcsSeries>();
  for (const event of events) {
    const { line, uid, recurrenceId } = event;
    if (uid === null && recurrenceId) {
      refused.push({ line, uid, reason: 'an event with a RECURRENCE-ID must have a UID' });
      continue;
    }
    let series = uid === null ? undefined : byUid.get(uid);
    if (!series) {
      series = { master: null, overrides: [] };
      found.push(series);
      if (uid !== null) byUid.set(uid, series);
    }
    if (recurrenceId) series.overrides.push(event);
    else if (!series.master) series.master = event;
    else {
      const isLater = compareVersions(event, series.master) >= 0;
      const older = isLater ? series.master : event;
      if (isLater) series.master = event;
      notes.push({ line: older.line, message: 'the document has a later version of this event' });
    }
  }
  return found;
}

function rawUidOf(component: Component): string | null {
  const line = component.lines.find(({ text }) => /^UID[;:]/i.test(text));
  return line
    ? line.text
        .slice(line.text.indexOf(':') + 1)
        .trim()
        .slice(0, 200) || null
    : null;
}
