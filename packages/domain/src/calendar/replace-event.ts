import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import type { EventRows } from './event-rows.ts';
import type { NewEvent } from './new-event.ts';
import { prepareEvent } from './prepare-event.ts';
import { rescheduleReminders } from './reschedule-reminders.ts';
import { taskQueueOf } from './tasks/run-task.ts';
import { insertRows, updateRow } from './write-rows.ts';

/** Replaces the fields, times and overrides of an event. Its reminders and tags stay; the reminders are rescheduled. Throws `EventFieldError`. */
export async function replaceEvent(ctx: OperationContext, id: number, changed: NewEvent): Promise<void> {
  await replaceRows(ctx, id, await prepareEvent(taskQueueOf(ctx), changed));
}

/** {@link replaceEvent} for prepared rows. */
export async function replaceRows(
  ctx: OperationContext,
  id: number,
  { event, overrides }: EventRows,
): Promise<void> {
  const db = sqlOf(ctx.em);
  await updateRow(db, 'events', id, { ...event, updated_at: ctx.now });
  const { workspace_id } = await db
    .selectFrom('events')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('event_overrides').where('event_id', '=', id).execute();
  await insertRows(
    db,
    'event_overrides',
    overrides.map((row) => ({ workspace_id, event_id: id, calendar_id: event.calendar_id, ...row })),
  );
  await rescheduleReminders(ctx, id, event, overrides);
}
