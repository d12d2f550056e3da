import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { LoopYielder } from '../../platform/process/loop-yielder.ts';
import { calendarCapacity } from '../calendars/calendar-capacity.ts';
import { firmsOfCalendars } from '../calendars/firms-of-calendars.ts';
import { nextRemindersAt } from '../reminders/next-reminders-at.ts';
import { taskQueueOf } from '../tasks/run-task.ts';
import { EventFieldError } from './event-error.ts';
import type { EventRows } from './event-rows.ts';
import type { NewEvent } from './new-event.ts';
import { prepareEvent } from './prepare-event.ts';
import { BATCH_ROWS, insertRows } from './write-rows.ts';

/** An invalid field of one of the events. `path` is like `recurrence_rule` or `overrides[2].ends_at`. */
export interface EventProblem {
  event: number;
  path: string;
  message: string;
}

/** Events that cannot be inserted: the first problem of each invalid event. */
export class InvalidEventsError extends Error {
  override readonly name = 'InvalidEventsError';
  readonly problems: readonly EventProblem[];
  constructor(problems: readonly EventProblem[]) {
    super(problems.map(({ event, path, message }) => `[${event}].${path}: ${message}`).join('\n'));
    this.problems = problems;
  }
}

/**
 * Inserts events of a firm, with their overrides, reminders and tags, in a few statements. Returns their ids in order. Throws
 * `InvalidEventsError` before it writes anything. Calendars, users and tags must exist, and given ids must be unused.
 */
export async function insertEvents(
  ctx: OperationContext,
  workspaceId: number,
  events: readonly NewEvent[],
): Promise<number[]> {
  return insertPrepared(ctx, workspaceId, await prepareEvents(ctx, events));
}

/** {@link insertEvents} for events of several firms, which their calendars determine. */
export async function insertEventsOfFirms(
  ctx: OperationContext,
  events: readonly NewEvent[],
): Promise<number[]> {
  const prepared = await prepareEvents(ctx, events);
  const firms = await firmsOfCalendars(
    ctx.db,
    events.map(({ calendar_id }) => calendar_id),
  );
  const ids: number[] = [];
  for (const workspaceId of new Set(firms.values())) {
    const indexes = [...events.keys()].filter((i) => firms.get(events[i]!.calendar_id) === workspaceId);
    const inserted = await insertPrepared(
      ctx,
      workspaceId,
      indexes.map((i) => prepared[i]!),
    );
    for (const [n, i] of indexes.entries()) ids[i] = inserted[n]!;
  }
  return ids;
}

async function prepareEvents(ctx: OperationContext, events: readonly NewEvent[]): Promise<PreparedEvent[]> {
  const problems: EventProblem[] = [];
  const prepared: PreparedEvent[] = [];
  const yielder = new LoopYielder();
  for (const [i, event] of events.entries()) {
    await yielder.yieldIfDue();
    try {
      const { id, reminders, tag_ids } = event;
      prepared.push({ ...(await prepareEvent(taskQueueOf(ctx), event)), id, reminders, tag_ids });
    } catch (error) {
      if (!(error instanceof EventFieldError)) throw error;
      problems.push({ event: i, path: error.path, message: error.problem });
    }
  }
  if (problems.length > 0) throw new InvalidEventsError(problems);
  return prepared;
}

/** The rows of an event, with the reminders and tags to insert. */
export type PreparedEvent = EventRows & Pick<NewEvent, 'id' | 'reminders' | 'tag_ids'>;

/** {@link insertEvents} for prepared events. Throws `event_limit_reached` if a calendar has too many events. */
export async function insertPrepared(
  ctx: OperationContext,
  workspaceId: number,
  events: readonly PreparedEvent[],
): Promise<number[]> {
  const capacity = await calendarCapacity(
    ctx,
    workspaceId,
    events.map(({ event }) => event.calendar_id),
  );
  for (const { event } of events) capacity.reserve(event.calendar_id);
  const ids: number[] = [];
  for (let from = 0; from < events.length; from += BATCH_ROWS)
    ids.push(...(await insertBatch(ctx, workspaceId, events.slice(from, from + BATCH_ROWS))));
  return ids;
}

async function insertBatch(
  ctx: OperationContext,
  workspaceId: number,
  batch: readonly PreparedEvent[],
): Promise<number[]> {
  const db = ctx.db;
  const now = ctx.now.toISOString();
  const ids = await takeIds(
    db,
    batch.map(({ id }) => id ?? null),
  );
  const events = batch.map(({ event }, i) => ({
    workspace_id: workspaceId,
    id: ids[i],
    ...event,
    created_at: now,
    updated_at: now,
  }));
  await insertRows(db, 'events', events);
  await insertRows(
    db,
    'event_overrides',
    batch.flatMap(({ event, overrides }, i) =>
      overrides.map((row) => ({
        workspace_id: workspaceId,
        event_id: ids[i],
        calendar_id: event.calendar_id,
        ...row,
      })),
    ),
  );
  const reminders: object[] = [];
  const yielder = new LoopYielder();
  for (const [i, prepared] of batch.entries()) {
    await yielder.yieldIfDue();
    reminders.push(...(await reminderRows(ctx, workspaceId, prepared, ids[i]!)));
  }
  await insertRows(db, 'event_reminders', reminders);
  await insertRows(
    db,
    'event_tags',
    batch.flatMap(({ tag_ids }, i) =>
      [...new Set(tag_ids)].map((tag_id) => ({ workspace_id: workspaceId, event_id: ids[i], tag_id })),
    ),
  );
  return ids;
}

/** Returns the given ids, and new ones for the rest. Advances the sequence past the given ids. */
async function takeIds(db: Sql, given: (number | null)[]): Promise<number[]> {
  const greatest = Math.max(0, ...given.map((id) => id ?? 0));
  if (greatest > 0) {
    await sql`
      select setval('events_id_seq', ${greatest}) from events_id_seq
      where last_value < ${greatest}`.execute(db);
  }
  const missing = given.filter((id) => id === null).length;
  const { rows } = await sql<{ id: number }>`
    select nextval('events_id_seq') as id from generate_series(1, ${missing}::integer)`.execute(db);
  return given.map((id) => id ?? rows.shift()!.id);
}

async function reminderRows(
  ctx: OperationContext,
  workspaceId: number,
  { event, overrides, reminders }: PreparedEvent,
  eventId: number,
): Promise<object[]> {
  const own = new Map(
    reminders?.map((reminder) => [
      `${reminder.user_id} ${reminder.minutes_before} ${reminder.channel}`,
      reminder,
    ]),
  );
  if (own.size === 0) return [];
  const wanted = [...own.values()];
  const now = ctx.now.getTime();
  const dues = await nextRemindersAt(
    ctx,
    eventId,
    event,
    overrides,
    wanted.map(({ minutes_before }) => ({ minutesBefore: minutes_before, doneUntil: now })),
  );
  return wanted.map(({ user_id, minutes_before, channel }, i) => ({
    workspace_id: workspaceId,
    event_id: eventId,
    user_id,
    minutes_before,
    channel,
    due_at: dues[i]!,
    done_until: ctx.now.toISOString(),
  }));
}
