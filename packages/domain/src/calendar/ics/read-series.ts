import type { EventSource, EventStatus } from '@firmdesk/contract';
import { limitWork } from '@firmdesk/recurrence';
import { type EventRows, toEventRows } from '../event-rows.ts';
import { EVENT_STEPS } from '../limits.ts';
import type { IcsEvent } from './event.ts';
import type { Note } from './properties.ts';
import { type Refusal, readIcs, refusalOf } from './read-ics.ts';
import { eventOf, type IcsSeries } from './series.ts';

/** The events of a document with one UID, ready to be stored. */
export interface ReadSeries {
  line: number;
  uid: string | null;
  sequence: number;
  organizer: IcsEvent['organizer'];
  /** Null if the document has only overrides of the series: then `overrides` has them. */
  master: { cancelled: boolean } | null;
  overrides: IcsEvent[];
  /** The rows of the event, whose `calendar_id` the caller sets, or why it is refused. Null if it is cancelled. */
  event: { rows: EventRows; notes: Note[] } | { refusal: Refusal } | null;
}

export interface ReadDocument {
  events: number;
  series: ReadSeries[];
  refused: Refusal[];
  notes: Note[];
}

/** Reads the events of a document into rows. Invalid events are refused one by one. */
export function readSeries(
  text: string,
  floating: string,
  into: { source: EventSource; status: EventStatus },
  maxEvents?: number,
): ReadDocument {
  const { events, series, refused, notes } = readIcs(text, floating, maxEvents);
  const read = series.map(({ master, overrides }): ReadSeries => {
    const { line, uid, sequence, organizer } = master ?? overrides[0]!;
    return {
      line,
      uid,
      sequence,
      organizer,
      master: master && { cancelled: master.cancelled },
      overrides: master ? [] : overrides,
      event: master?.cancelled ? null : toRows({ master, overrides }, into),
    };
  });
  return { events, series: read, refused, notes };
}

function toRows(
  series: IcsSeries,
  into: { source: EventSource; status: EventStatus },
): NonNullable<ReadSeries['event']> {
  const { line, uid } = series.master ?? series.overrides[0]!;
  const notes: Note[] = [];
  try {
    const rows = limitWork({ steps: EVENT_STEPS }, () =>
      toEventRows(eventOf(series, { ...into, calendarId: 0 }, notes)),
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
