import { MAX_EVENTS_PER_CALENDAR } from '@firmdesk/contract';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { TaskLimitError } from '../../platform/process/threads.ts';
import { Event } from '../calendar.entity.ts';
import { calendarCapacity } from '../calendars/calendar-capacity.ts';
import { firmsOfCalendars } from '../calendars/firms-of-calendars.ts';
import { insertPrepared, type PreparedEvent } from '../events/insert-events.ts';
import { loadEvent } from '../events/load-event.ts';
import { replaceEvent, replaceRows } from '../events/replace-event.ts';
import { type Refusal, refusalOf } from '../ics/parse-ics.ts';
import { type PreparedDocument, withCalendarId } from '../ics/prepare-document.ts';
import type { Note } from '../ics/properties.ts';
import { DOCUMENT_STEPS } from '../limits.ts';
import { runTask, runTaskInThread, taskQueueOf } from '../tasks/run-task.ts';

const LATER_VERSION = 'the calendar has a later version of the event (SEQUENCE)';

export interface IcsResult {
  /** The number of events created or updated. A series with its overrides counts once. */
  imported: number;
  refused: Refusal[];
  /** What was left out of imported events, or interpreted differently. */
  notes: Note[];
}

/**
 * Imports the events of an iCalendar document, its bytes or its text, into a calendar. An invalid event is refused with its line and the reason, and
 * the others are imported. An event whose UID the calendar already has is updated. Throws `resource_not_found` if the calendar
 * does not exist.
 */
export async function importIcs(
  ctx: OperationContext,
  { calendarId, document }: { calendarId: number; document: string | Uint8Array },
): Promise<IcsResult> {
  const queue = taskQueueOf(ctx);
  const { workspaceId, timezone } = await lockCalendar(ctx, calendarId);
  const { series, refused, notes } = await prepareInThread(queue, document, timezone);
  const known = await knownEvents(ctx, workspaceId, calendarId);
  const capacity = await calendarCapacity(ctx, workspaceId, [calendarId]);
  const fresh: PreparedEvent[] = [];
  let replaced = 0;
  for (const entry of series) {
    const { line, uid, sequence, master } = entry;
    const before = uid === null ? undefined : known.get(uid);
    if (master && before && before.sequence > sequence) {
      refused.push({ line, uid, reason: LATER_VERSION });
      continue;
    }
    if (master?.cancelled) {
      if (before) await deleteStored(ctx, workspaceId, before.id);
      notes.push({ line, message: 'the event is cancelled and was not imported' });
      continue;
    }
    if (before && !master) {
      const stored = await loadEvent(ctx, workspaceId, before.id);
      try {
        const changed = await runTask(queue, 'withOverrides', stored, entry.overrides);
        if (changed) {
          await replaceEvent(ctx, workspaceId, before.id, changed);
          replaced++;
        } else refused.push({ line, uid, reason: LATER_VERSION });
      } catch (error) {
        refused.push(refusalOf(entry, error));
      }
    } else if (entry.event && 'refusal' in entry.event) {
      refused.push(entry.event.refusal);
    } else if (entry.event) {
      notes.push(...entry.event.notes);
      const rows = withCalendarId(calendarId, entry.event.rows);
      if (before) {
        await replaceRows(ctx, workspaceId, before.id, rows);
        replaced++;
      } else if (fresh.length >= capacity.remaining(calendarId)) {
        refused.push({ line, uid, reason: `a calendar can have at most ${MAX_EVENTS_PER_CALENDAR} events` });
      } else fresh.push(rows);
    }
  }
  await insertPrepared(ctx, workspaceId, fresh);
  const byLine = (a: { line: number }, b: { line: number }) => a.line - b.line;
  return { imported: fresh.length + replaced, refused: refused.sort(byLine), notes: notes.sort(byLine) };
}

/** Runs `prepareDocument` in a thread. Refuses the document if it takes too much memory or time. */
async function prepareInThread(
  queue: string,
  document: string | Uint8Array,
  timezone: string,
): Promise<PreparedDocument> {
  try {
    const attributes = { source: 'import', status: 'confirmed' } as const;
    return await runTaskInThread(queue, DOCUMENT_STEPS, 'prepareDocument', document, timezone, attributes);
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    const reason = `reading the document takes too much ${error.limit}`;
    return { method: null, events: 0, series: [], refused: [{ line: 1, uid: null, reason }], notes: [] };
  }
}

/** Locks a calendar, so that concurrent imports of one UID create one event. Returns its firm and the time zone of its owner. */
async function lockCalendar(
  { db }: OperationContext,
  id: number,
): Promise<{ workspaceId: number; timezone: string }> {
  const workspaceId = (await firmsOfCalendars(db, [id])).get(id);
  if (workspaceId === undefined)
    throw new ApiError('resource_not_found', { message: `There is no calendar ${id}.` });
  const calendar = await db
    .selectFrom('calendars')
    .innerJoin('users', 'users.id', 'calendars.owner_id')
    .select('users.timezone')
    .where('calendars.workspace_id', '=', workspaceId)
    .where('calendars.id', '=', id)
    .forUpdate('calendars')
    .executeTakeFirstOrThrow();
  return { workspaceId, timezone: calendar.timezone };
}

async function deleteStored({ em }: OperationContext, workspaceId: number, id: number): Promise<void> {
  await em.nativeDelete(Event, { workspaceId, id });
}

async function knownEvents(
  { db }: OperationContext,
  workspaceId: number,
  calendarId: number,
): Promise<Map<string, { id: number; sequence: number }>> {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'uid', 'sequence'])
    .where('workspace_id', '=', workspaceId)
    .where('calendar_id', '=', calendarId)
    .where('uid', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, uid, sequence }) => [uid!, { id, sequence }]));
}
