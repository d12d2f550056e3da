import type { OperationContext } from '../../platform/database/context.ts';
import type { EventTimes, OverrideColumns } from '../events/series.ts';
import { nextRemindersAt } from './next-reminders-at.ts';

/** Recomputes when the reminders of an event are due. Called after each change of its times. */
export async function rescheduleReminders(
  ctx: OperationContext,
  workspaceId: number,
  eventId: number,
  event: EventTimes,
  overrides: readonly OverrideColumns[],
): Promise<void> {
  const db = ctx.db;
  const reminders = await db
    .selectFrom('event_reminders')
    .select(['user_id', 'minutes_before', 'channel', 'done_until'])
    .where('workspace_id', '=', workspaceId)
    .where('event_id', '=', eventId)
    .forUpdate()
    .execute();
  if (reminders.length === 0) return;
  const dues = await nextRemindersAt(
    ctx,
    eventId,
    event,
    overrides,
    reminders.map(({ minutes_before, done_until }) => ({
      minutesBefore: minutes_before,
      doneUntil: Date.parse(done_until),
    })),
  );
  for (const [i, { user_id, minutes_before, channel }] of reminders.entries()) {
    await db
      .updateTable('event_reminders')
      .set({ due_at: dues[i]! })
      .where('workspace_id', '=', workspaceId)
      .where('event_id', '=', eventId)
      .where('user_id', '=', user_id)
      .where('minutes_before', '=', minutes_before)
      .where('channel', '=', channel)
      .execute();
  }
}
