import type { OperationContext } from '../../platform/database/context.ts';
import type { EventTimes, OverrideColumns } from '../events/series.ts';
import { runTask, taskQueueOf } from '../tasks/run-task.ts';
import { isTooMuchWork } from '../tasks/too-much-work.ts';

/**
 * Returns when each reminder of an event is due next (ISO 8601), or null where no occurrence is left. If the series takes too
 * much work to expand, every entry is null and a warning is logged.
 */
export async function nextRemindersAt(
  ctx: OperationContext,
  eventId: number,
  event: EventTimes,
  overrides: readonly OverrideColumns[] | null,
  reminders: readonly { minutesBefore: number; doneUntil: number }[],
): Promise<(string | null)[]> {
  const { services, now } = ctx;
  try {
    const dues = await runTask(
      taskQueueOf(ctx),
      'nextRemindersAt',
      event,
      overrides,
      reminders,
      now.getTime(),
    );
    return dues.map((due) => (due === null ? null : new Date(due).toISOString()));
  } catch (error) {
    if (!isTooMuchWork(error)) throw error;
    services.log.warn(
      { event_id: eventId },
      'event takes too much work to expand: its reminders are not due',
    );
    return reminders.map(() => null);
  }
}
