import { RecurrenceError } from '@firmdesk/recurrence';
import { EventError } from './event-error.ts';
import type { EventRows, NewEvent } from './event-rows.ts';
import { EVENT_STEPS } from './limits.ts';
import { runTask, runTaskInThread } from './tasks/run-task.ts';
import { isTooMuchWork } from './tasks/too-much-work.ts';

/** Dates of its own of an event whose rows are worked out on the event loop: bringing them into the stored form costs no steps. */
const LOOP_DATES = 3_000;

/** The rows of an event; a large one is worked out in a thread. Throws `EventError`. */
export async function prepareEvent(queue: string, event: NewEvent): Promise<EventRows> {
  try {
    return await (datesOf(event) > LOOP_DATES
      ? runTaskInThread(queue, EVENT_STEPS, 'toEventRows', event)
      : runTask(queue, 'toEventRows', event));
  } catch (error) {
    if (isTooMuchWork(error))
      throw new EventError('recurrence_rule', 'makes a series that takes too much work');
    if (error instanceof RecurrenceError) throw new EventError('starts_at', error.message);
    throw error;
  }
}

function datesOf({ rdates = [], exdates = [], overrides = [] }: NewEvent): number {
  return rdates.length + exdates.length + overrides.length;
}
