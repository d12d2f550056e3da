import { sql } from 'kysely';
import type { VerbContext } from '../kernel/context.ts';
import { type Sql, sqlOf } from '../kernel/database.ts';
import { EventError } from './event-error.ts';
import { type EventRow, eventRows, type NewEvent, type OverrideRow } from './event-rows.ts';
import { nextDue } from './next-due.ts';
import { BATCH, insertRows } from './rows.ts';
import { seriesOf } from './series.ts';

/** What is wrong with one of the events; `path` is like `recurrence_rule` or `overrides[2].ends_at`. */
export interface EventProblem {
  event: number;
  path: string;
  message: string;
}

/** Events that cannot be inserted: every one that has a problem, with its first. */
export class EventsError extends Error {
  override readonly name = 'EventsError';
  readonly problems: readonly EventProblem[];
  constructor(problems: readonly EventProblem[]) {
    super(problems.map(({ event, path, message }) => `[${event}].${path}: ${message}`).join('\n'));
    this.problems = problems;
  }
}

/**
 * Inserts many events, with their overrides, reminders and tags, in a few statements; returns their ids in order.
 * Throws `EventsError` before anything is written. Calendars, users and tags must exist, and given ids be free.
 */
export async function insertEvents(ctx: VerbContext, events: readonly NewEvent[]): Promise<number[]> {
  const problems: EventProblem[] = [];
  const rows = events.map((event, i) => {
    try {
      return eventRows(event);
    } catch (error) {
      if (!(error instanceof EventError)) throw error;
      problems.push({ event: i, path: error.path, message: error.problem });
      return null;
    }
  });
  if (problems.length > 0) throw new EventsError(problems);
  const ids: number[] = [];
  for (let from = 0; from < events.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH).map((row, i) => ({ ...row!, given: events[from + i]! }));
    ids.push(...(await insertBatch(ctx, batch)));
  }
  return ids;
}

interface Prepared {
  given: NewEvent;
  event: EventRow;
  overrides: OverrideRow[];
}

async function insertBatch(ctx: VerbContext, batch: readonly Prepared[]): Promise<number[]> {
  const db = sqlOf(ctx.em);
  const now = ctx.now.toISOString();
  const ids = await takeIds(
    db,
    batch.map(({ given }) => given.id ?? null),
  );
  const events = batch.map(({ event }, i) => ({ id: ids[i], ...event, created_at: now, updated_at: now }));
  await insertRows(db, 'events', events);
  await insertRows(
    db,
    'event_overrides',
    batch.flatMap(({ event, overrides }, i) =>
      overrides.map((row) => ({ event_id: ids[i], calendar_id: event.calendar_id, ...row })),
    ),
  );
  await insertRows(
    db,
    'event_reminders',
    batch.flatMap((prepared, i) => reminderRows(prepared, ids[i]!, ctx.now)),
  );
  await insertRows(
    db,
    'event_tags',
    batch.flatMap(({ given }, i) =>
      [...new Set(given.tag_ids)].map((tag_id) => ({ event_id: ids[i], tag_id })),
    ),
  );
  return ids;
}

/** The ids that were given, and new ones for the rest, which the sequence will not give again. */
async function takeIds(db: Sql, given: (number | null)[]): Promise<number[]> {
  const greatest = Math.max(0, ...given.map((id) => id ?? 0));
  if (greatest > 0) {
    await sql`select setval('events_id_seq', ${greatest}) from events_id_seq where last_value < ${greatest}`.execute(
      db,
    );
  }
  const missing = given.filter((id) => id === null).length;
  const { rows } = await sql<{ id: number }>`
    select nextval('events_id_seq')::integer as id from generate_series(1, ${missing}::integer)`.execute(db);
  return given.map((id) => id ?? rows.shift()!.id);
}

function reminderRows({ given, event, overrides }: Prepared, eventId: number, now: Date): object[] {
  const reminders = new Map(
    given.reminders?.map((reminder) => [
      `${reminder.user_id} ${reminder.minutes_before} ${reminder.channel}`,
      reminder,
    ]),
  );
  if (reminders.size === 0) return [];
  const series = seriesOf(event, overrides);
  return [...reminders.values()].map(({ user_id, minutes_before, channel }) => {
    const due = nextDue(series, minutes_before, now.getTime(), now.getTime());
    return {
      event_id: eventId,
      user_id,
      minutes_before,
      channel,
      due_at: due === null ? null : new Date(due).toISOString(),
      done_until: now.toISOString(),
    };
  });
}
