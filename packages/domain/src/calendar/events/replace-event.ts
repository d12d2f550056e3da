import type { OperationContext } from '../../platform/database/context.ts';
import { rescheduleReminders } from '../reminders/reschedule-reminders.ts';
import { taskQueueOf } from '../tasks/run-task.ts';
import type { EventRows } from './event-rows.ts';
import type { NewEvent } from './new-event.ts';
import { prepareEvent } from './prepare-event.ts';
import { insertRows, updateRow } from './write-rows.ts';

/** Replaces the fields, times and overrides of an event. Its reminders and tags stay; the reminders are rescheduled. Throws `EventFieldError`. */
export async function replaceEvent(
  ctx: OperationContext,
  workspaceId: number,
  id: number,
  changed: NewEvent,
): Promise<void> {
  await replaceRows(ctx, workspaceId, id, await prepareEvent(taskQueueOf(ctx), changed));
}

/** {@link replaceEvent} for prepared rows. */
export async function replaceRows(
  ctx: OperationContext,
  workspaceId: number,
  id: number,
  { event, overrides }: EventRows,
): Promise<void> {
  const db = ctx.db;
  await updateRow(db, 'events', workspaceId, id, { ...event, updated_at: ctx.now });
  await db
    .deleteFrom('event_overrides')
    .where('workspace_id', '=', workspaceId)
    .where('event_id', '=', id)
    .execute();
  await insertRows(
    db,
    'event_overrides',
    overrides.map((row) => ({
      workspace_id: workspaceId,
      event_id: id,
      calendar_id: event.calendar_id,
      ...row,
    })),
  );
  await rescheduleReminders(ctx, workspaceId, id, event, overrides);
}
