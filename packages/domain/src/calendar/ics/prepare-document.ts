import type { EventSource, EventStatus } from '@firmdesk/contract';
import { limitWork } from '@firmdesk/recurrence';
import { type EventRows, toEventRows } from '../events/event-rows.ts';
import { EVENT_STEPS } from '../limits.ts';
import type { IcsEvent } from './event.ts';
import { type IcsSeries, toNewEvent } from './ics-series.ts';
import { parseIcs, type Refusal, refusalOf } from './parse-ics.ts';
import type { Note } from './properties.ts';

/** The events of a document with one UID, ready to be stored. */
export interface PreparedSeries {
  line: number;
  uid: string | null;
  sequence: number;
  stamp: string | null;
  organizer: IcsEvent['organizer'];
  /** Null if the document has only overrides of the series: then `overrides` has them. */
  master: { cancelled: boolean } | null;
  overrides: IcsEvent[];
  /** The rows of the event, whose `calendar_id` the caller sets, or why it is refused. Null if it is cancelled. */
  event: { rows: EventRows; notes: Note[] } | { refusal: Refusal } | null;
}

/** A parsed document, whose events are ready to be stored. */
export interface PreparedDocument {
  method: string | null;
  /** The number of VEVENTs in the document, valid or not. */
  events: number;
  series: PreparedSeries[];
  refused: Refusal[];
  notes: Note[];
}

/** Parses a document and returns the rows of its events. Each invalid event is refused, and the others are kept. */
export function prepareDocument(
  document: string | Uint8Array,
  floatingZone: string,
  attributes: { source: EventSource; status: EventStatus },
  maxEvents?: number,
): PreparedDocument {
  const { method, events, series, refused, notes } = parseIcs(document, floatingZone, maxEvents);
  const read = series.map(({ master, overrides }): PreparedSeries => {
    const { line, uid, sequence, stamp, organizer } = master ?? overrides[0]!;
    return {
      line,
      uid,
      sequence,
      stamp,
      organizer,
      master: master && { cancelled: master.cancelled },
      overrides: master ? [] : overrides,
      event: master?.cancelled ? null : toRows({ master, overrides }, attributes),
    };
  });
  return { method, events, series: read, refused, notes };
}

function toRows(
  series: IcsSeries,
  attributes: { source: EventSource; status: EventStatus },
): NonNullable<PreparedSeries['event']> {
  const { line, uid } = series.master ?? series.overrides[0]!;
  const notes: Note[] = [];
  try {
    const rows = limitWork({ steps: EVENT_STEPS }, () =>
      toEventRows(toNewEvent(series, { ...attributes, calendarId: 0 }, notes)),
    );
    return { rows, notes };
  } catch (error) {
    return { refusal: refusalOf({ line, uid }, error) };
  }
}

/** Returns the rows of a document's event with the id of its calendar. */
export function withCalendarId(calendarId: number, { event, overrides }: EventRows): EventRows {
  return { event: { ...event, calendar_id: calendarId }, overrides };
}
