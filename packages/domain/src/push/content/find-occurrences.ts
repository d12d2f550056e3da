import { RecurrenceError } from '@firmdesk/recurrence';
import {
  EVENT_STEPS,
  isTooMuchWork,
  loadOverrides,
  type OverrideColumns,
  runTaskInThread,
  runTaskOnLoop,
  SYSTEM_QUEUE,
} from '../../calendar/index.ts';
import { sqlOf } from '../../platform/database/database.ts';
import { LoopYielder } from '../../platform/process/loop-yielder.ts';
import type { Services } from '../../platform/services.ts';
import type { DropReason } from '../drop-reasons.ts';
import type { LeasedPush, ReminderRef } from '../outbox.ts';
import type { EventSubject } from './find-subjects.ts';

/** The occurrences of one batch that may be searched in worker threads. The batch must be sent before its lease ends. */
const MAX_THREAD_TASKS = 20;

/** The occurrence that a reminder is for. */
export interface RemindedOccurrence {
  /** Epoch ms. */
  start: number;
  override: OverrideColumns | null;
}

/**
 * Returns the occurrence of each reminder by row id, or the reason why it is dropped: the occurrence no longer takes place, or takes
 * too much work to find. An occurrence with many reminders is searched once.
 */
export async function findOccurrences(
  services: Services,
  rows: readonly LeasedPush[],
  events: ReadonlyMap<string, EventSubject>,
): Promise<Map<string, RemindedOccurrence | DropReason>> {
  const found = new Map<string, RemindedOccurrence | DropReason>();
  const known = new Map<string, RemindedOccurrence | DropReason>();
  const yielder = new LoopYielder();
  const threads = { left: MAX_THREAD_TASKS };
  for (const { id, reminder } of rows) {
    const event = events.get(id);
    if (!event || !reminder) continue;
    await yielder.yieldIfDue();
    const key = `${event.event_id} ${reminder.starts_at} ${reminder.occurrence_start}`;
    const occurrence = known.get(key) ?? (await findOccurrence(services, event, reminder, threads));
    known.set(key, occurrence);
    found.set(id, occurrence);
  }
  return found;
}

/** Returns the occurrence of one reminder, or the reason why it is dropped. `threads.left` is how many searches may still use a thread. */
export async function findOccurrence(
  services: Services,
  event: Omit<EventSubject, 'id'>,
  { starts_at, occurrence_start }: ReminderRef,
  threads: { left: number },
): Promise<RemindedOccurrence | DropReason> {
  const db = sqlOf(services.orm);
  const overrides = event.has_overrides ? await loadOverrides(db, event.workspace_id, event.event_id) : [];
  const start = Date.parse(starts_at);
  const recurrenceId = occurrence_start === null ? null : Date.parse(occurrence_start);
  const task = ['occurrenceAt', event, overrides, start, recurrenceId] as const;
  try {
    let match: ReturnType<typeof runTaskOnLoop<'occurrenceAt'>>;
    try {
      match = runTaskOnLoop(...task);
    } catch (error) {
      if (!isTooMuchWork(error) || threads.left-- <= 0) throw error;
      match = await runTaskInThread(SYSTEM_QUEUE, EVENT_STEPS, ...task);
    }
    if (!match) return 'moved';
    return { start, override: match.override === null ? null : overrides[match.override]! };
  } catch (error) {
    if (isTooMuchWork(error)) return 'too_much_work';
    if (error instanceof RecurrenceError) return 'moved';
    throw error;
  }
}
