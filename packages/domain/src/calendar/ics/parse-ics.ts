import { RecurrenceError } from '@firmdesk/recurrence';
import { storableText } from '../../platform/storable-text.ts';
import { EventFieldError } from '../event-error.ts';
import { type Component, componentsNamed, parseComponents } from './components.ts';
import { type IcsEvent, parseEvent } from './event.ts';
import type { IcsSeries } from './ics-series.ts';
import { IcsError, type Note } from './properties.ts';
import type { TimeContext } from './times.ts';
import { zoneFinder } from './zones.ts';

/** Limits of a document. */
export const ICS_LIMITS = { characters: 20_000_000, events: 10_000 } as const;

export interface Refusal {
  /** The line of its BEGIN:VEVENT, from 1. */
  line: number;
  uid: string | null;
  reason: string;
}

export interface IcsDocument {
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
  text: string,
  floatingZone: string,
  maxEvents: number = ICS_LIMITS.events,
): IcsDocument {
  const document: IcsDocument = { events: 0, series: [], refused: [], notes: [] };
  if (text.length > ICS_LIMITS.characters) {
    const reason = `the document has more than ${ICS_LIMITS.characters} characters`;
    document.refused.push({ line: 1, uid: null, reason });
    return document;
  }
  const components = parseComponents(storableText(text));
  const found = componentsNamed('VEVENT', components);
  document.events = found.length;
  if (found.length === 0) document.notes.push({ line: 1, message: 'the document has no event' });
  const context: TimeContext = { zones: zoneFinder(components), floatingZone };
  const events = found.flatMap((component, i) => {
    if (i >= maxEvents) {
      const reason = `a document can have at most ${maxEvents} events`;
      document.refused.push({ line: component.line, uid: rawUidOf(component), reason });
      return [];
    }
    return (
      attempt({ line: component.line, uid: rawUidOf(component) }, document.refused, () =>
        parseEvent(component, context),
      ) ?? []
    );
  });
  document.series = bySeries(events, document);
  for (const { notes } of events) document.notes.push(...notes);
  return document;
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

/** Groups events by UID. Of two masters, the one with the higher SEQUENCE counts; if they are equal, the later one. */
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
      const isLater = event.sequence >= series.master.sequence;
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
