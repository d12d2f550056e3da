import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { ApiError } from '../kernel/errors.ts';
import { eventRows, type NewEvent } from './event-rows.ts';
import type { Note } from './ics/properties.ts';
import { attempt, type Refusal, readIcs } from './ics/read-ics.ts';
import { eventOf, withAppearances } from './ics/series.ts';
import { insertEvents } from './insert-events.ts';
import { readEvent } from './open-event.ts';
import { replaceEvent } from './replace-event.ts';

export interface IcsResult {
  /** Events made or brought up to date; a series with its changed appearances counts once. */
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
  ctx: VerbContext,
  { calendarId, text }: { calendarId: number; text: string },
): Promise<IcsResult> {
  const timezone = await lockCalendar(ctx, calendarId);
  const { series, refused, notes } = readIcs(text, timezone);
  const known = await knownEvents(ctx, calendarId);
  const fresh: NewEvent[] = [];
  let replaced = 0;
  for (const one of series) {
    const { line, uid, sequence, cancelled } = one.master ?? one.overrides[0]!;
    const before = uid === null ? undefined : known.get(uid);
    if (one.master && before && before.sequence > sequence) {
      refused.push({ line, uid, reason: 'the calendar holds a later state of it (SEQUENCE)' });
      continue;
    }
    if (one.master && cancelled) {
      if (before) await sqlOf(ctx.em).deleteFrom('events').where('id', '=', before.id).execute();
      notes.push({ line, message: 'the event is cancelled and is not kept' });
      continue;
    }
    const stored = before && !one.master ? await readEvent(ctx, before.id) : null;
    const event = attempt({ line, uid }, refused, () => {
      const made = stored
        ? withAppearances(stored, one.overrides)
        : eventOf(one, { calendarId, source: 'import', status: 'confirmed' }, notes);
      eventRows(made);
      return made;
    });
    if (!event) continue;
    if (before) {
      await replaceEvent(ctx, before.id, event);
      replaced++;
    } else fresh.push(event);
  }
  await insertEvents(ctx, fresh);
  const byLine = (a: { line: number }, b: { line: number }) => a.line - b.line;
  return { imported: fresh.length + replaced, refused: refused.sort(byLine), notes: notes.sort(byLine) };
}

/** The zone of the owner of a calendar, which is locked: of two imports of one UID, the second finds what the first made. */
async function lockCalendar({ em }: VerbContext, id: number): Promise<string> {
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
  { em }: VerbContext,
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
