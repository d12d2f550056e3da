import { LockMode } from '@mikro-orm/postgresql';
import type { OperationContext } from '../../platform/database/context.ts';
import { EventReminder } from '../calendar.entity.ts';
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
  const reminders = await ctx.em.find(
    EventReminder,
    { workspaceId, eventId },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (reminders.length === 0) return;
  const dues = await nextRemindersAt(
    ctx,
    eventId,
    event,
    overrides,
    reminders.map(({ minutesBefore, doneUntil }) => ({ minutesBefore, doneUntil: doneUntil.getTime() })),
  );
  for (const [i, reminder] of reminders.entries()) {
    const due = dues[i]!;
    reminder.dueAt = due === null ? null : new Date(due);
  }
  await ctx.em.flush();
}
