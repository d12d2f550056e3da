import type { RemindersSet, SetRemindersInput } from '@firmdesk/contract';
import type { AccountContext } from '../../procedures/call-context.ts';
import { EventReminder } from '../calendar.entity.ts';
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
  const key = { workspaceId: ctx.workspace.id, eventId: id, userId: ctx.identity.user.id };
  const nameOf = (minutes: number, channel: string) => `${minutes} ${channel}`;
  const wanted = new Map(reminders.map((one) => [nameOf(one.minutes_before, one.channel), one]));
  const kept = new Set<string>();
  for (const reminder of await ctx.em.find(EventReminder, key)) {
    const name = nameOf(reminder.minutesBefore, reminder.channel);
    // A reminder that stays keeps its `doneUntil`.
    if (wanted.has(name)) kept.add(name);
    else ctx.em.remove(reminder);
  }
  for (const [name, { minutes_before, channel }] of wanted) {
    if (kept.has(name)) continue;
    ctx.em.create(EventReminder, { ...key, minutesBefore: minutes_before, channel, doneUntil: ctx.now });
  }
  await ctx.em.flush();
  const { event, overrides } = await prepareEvent(taskQueueOf(ctx), stored);
  await rescheduleReminders(ctx, ctx.workspace.id, id, event, overrides);
  const set = [...wanted.values()].sort(
    (a, b) => a.minutes_before - b.minutes_before || a.channel.localeCompare(b.channel),
  );
  return { object: 'reminders_set', id, reminders: set };
}
