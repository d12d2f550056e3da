import { MAX_EVENTS_PER_CALENDAR } from '@firmdesk/contract';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { TaskLimitError } from '../platform/threads.ts';
import { calendarCapacity } from './calendar-capacity.ts';
import type { Note } from './ics/properties.ts';
import { type Refusal, refusalOf } from './ics/read-ics.ts';
import { type ReadDocument, withCalendarId } from './ics/read-series.ts';
import { insertPrepared, type PreparedEvent } from './insert-events.ts';
import { DOCUMENT_STEPS } from './limits.ts';
import { readEvent } from './open-event.ts';
import { replaceEvent, replaceRows } from './replace-event.ts';
import { runTask, runTaskInThread, taskQueueOf } from './tasks/run-task.ts';

export interface IcsResult {
  /** Events made or brought up to date; a series with its changed occurrences counts once. */
  imported: number;
  refused: Refusal[];
  /** What was left out of imported events, or read otherwise than written. */
  notes: Note[];
}

/**
 * Puts the events of an iCalendar document into a calendar, event by event: one that cannot be read is refused with its
 * line and the reason, the rest is kept. An event that the calendar has already, by its UID, is brought up to date.
 * Raises `resource_not_found` when there is no such calendar.
 */
export async function importIcs(
  ctx: OperationContext,
  { calendarId, text }: { calendarId: number; text: string },
): Promise<IcsResult> {
  const queue = taskQueueOf(ctx);
  const timezone = await lockCalendar(ctx, calendarId);
  const { series, refused, notes } = await readDocument(queue, text, timezone);
  const known = await knownEvents(ctx, calendarId);
  const room = await calendarCapacity(ctx, [calendarId]);
  const fresh: PreparedEvent[] = [];
  let replaced = 0;
  for (const one of series) {
    const { line, uid, sequence, master } = one;
    const before = uid === null ? undefined : known.get(uid);
    if (master && before && before.sequence > sequence) {
      refused.push({ line, uid, reason: 'the calendar holds a later state of it (SEQUENCE)' });
      continue;
    }
    if (master?.cancelled) {
      if (before) await sqlOf(ctx.em).deleteFrom('events').where('id', '=', before.id).execute();
      notes.push({ line, message: 'the event is cancelled and is not kept' });
      continue;
    }
    if (before && !master) {
      const stored = await readEvent(ctx, before.id);
      try {
        await replaceEvent(ctx, before.id, await runTask(queue, 'withOverrides', stored, one.occurrences));
        replaced++;
      } catch (error) {
        refused.push(refusalOf(one, error));
      }
    } else if (one.event && 'refusal' in one.event) {
      refused.push(one.event.refusal);
    } else if (one.event) {
      notes.push(...one.event.notes);
      const rows = withCalendarId(calendarId, one.event.rows);
      if (before) {
        await replaceRows(ctx, before.id, rows);
        replaced++;
      } else if (fresh.length >= room.left(calendarId)) {
        refused.push({ line, uid, reason: `a calendar holds at most ${MAX_EVENTS_PER_CALENDAR} events` });
      } else fresh.push(rows);
    }
  }
  await insertPrepared(ctx, fresh);
  const byLine = (a: { line: number }, b: { line: number }) => a.line - b.line;
  return { imported: fresh.length + replaced, refused: refused.sort(byLine), notes: notes.sort(byLine) };
}

/** The events of a document, read in a thread. */
async function readDocument(queue: string, text: string, timezone: string): Promise<ReadDocument> {
  try {
    const into = { source: 'import', status: 'confirmed' } as const;
    return await runTaskInThread(queue, DOCUMENT_STEPS, 'readSeries', text, timezone, into);
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    const reason = `the document takes too much ${error.limit} to read`;
    return { events: 0, series: [], refused: [{ line: 1, uid: null, reason }], notes: [] };
  }
}

/** The zone of the owner of a calendar, which is locked: of two imports of one UID, the second finds what the first made. */
async function lockCalendar({ em }: OperationContext, id: number): Promise<string> {
  const calendar = await sqlOf(em)
    .selectFrom('calendars')
    .innerJoin('users', 'users.id', 'calendars.owner_id')
    .select('users.timezone')
    .where('calendars.id', '=', id)
    .forUpdate('calendars')
    .executeTakeFirst();
  if (!calendar) throw new ApiError('resource_not_found', { message: `There is no calendar ${id}.` });
  return calendar.timezone;
}

async function knownEvents(
  { em }: OperationContext,
  calendarId: number,
): Promise<Map<string, { id: number; sequence: number }>> {
  const rows = await sqlOf(em)
    .selectFrom('events')
    .select(['id', 'uid', 'sequence'])
    .where('calendar_id', '=', calendarId)
    .where('uid', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, uid, sequence }) => [uid!, { id, sequence }]));
}
