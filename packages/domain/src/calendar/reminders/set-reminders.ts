import type { RemindersSet, SetRemindersInput } from '@firmdesk/contract';
import type { AccountContext } from '../../procedures/call-context.ts';
import { openEvent } from '../events/open-event.ts';
import { prepareEvent } from '../events/prepare-event.ts';
import { taskQueueOf } from '../tasks/run-task.ts';
import { rescheduleReminders } from './reschedule-reminders.ts';

/** Replaces the caller's reminders of an event. Throws `resource_not_found`, and `forbidden` at the access level `busy`. */
export async function setReminders(
  ctx: AccountContext,
  { id, reminders }: SetRemindersInput,
): Promise<RemindersSet> {
  const stored = await openEvent(ctx, id, 'read');
  const db = ctx.db;
  const wanted = new Map(
    reminders.map((reminder) => [`${reminder.minutes_before} ${reminder.channel}`, reminder]),
  );
  const existing = await db
    .selectFrom('event_reminders')
    .select(['minutes_before', 'channel'])
    .where('workspace_id', '=', ctx.workspace.id)
    .where('event_id', '=', id)
    .where('user_id', '=', ctx.identity.user.id)
    .execute();
  for (const { minutes_before, channel } of existing) {
    // A reminder that stays keeps its `done_until`.
    if (wanted.has(`${minutes_before} ${channel}`)) continue;
    await db
      .deleteFrom('event_reminders')
      .where('workspace_id', '=', ctx.workspace.id)
      .where('event_id', '=', id)
      .where('user_id', '=', ctx.identity.user.id)
      .where('minutes_before', '=', minutes_before)
      .where('channel', '=', channel)
      .execute();
  }
  for (const reminder of wanted.values()) {
    await db
      .insertInto('event_reminders')
      .values({
        ...reminder,
        workspace_id: ctx.workspace.id,
        event_id: id,
        user_id: ctx.identity.user.id,
        due_at: null,
        done_until: ctx.now.toISOString(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const { event, overrides } = await prepareEvent(taskQueueOf(ctx), stored);
  await rescheduleReminders(ctx, ctx.workspace.id, id, event, overrides);
  const set = [...wanted.values()].sort(
    (a, b) => a.minutes_before - b.minutes_before || a.channel.localeCompare(b.channel),
  );
  return { object: 'reminders_set', id, reminders: set };
}
