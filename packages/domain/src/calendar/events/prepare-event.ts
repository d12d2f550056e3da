import { RecurrenceError } from '@firmdesk/recurrence';
import { EVENT_STEPS } from '../limits.ts';
import { runTask, runTaskInThread } from '../tasks/run-task.ts';
import { isTooMuchWork } from '../tasks/too-much-work.ts';
import { EventFieldError } from './event-error.ts';
import type { EventRows } from './event-rows.ts';
import type { NewEvent } from './new-event.ts';

/** The maximum number of listed dates for the event loop. Converting them into the stored form takes time, but no steps. */
const LOOP_DATES = 3_000;

/** Returns the rows of an event. A thread computes the rows of a large event. Throws `EventFieldError`. */
export async function prepareEvent(queue: string, event: NewEvent): Promise<EventRows> {
  try {
    return await (datesOf(event) > LOOP_DATES
      ? runTaskInThread(queue, EVENT_STEPS, 'toEventRows', event)
      : runTask(queue, 'toEventRows', event));
  } catch (error) {
    if (isTooMuchWork(error))
      throw new EventFieldError('recurrence_rule', 'makes a series that takes too much work to expand');
    if (error instanceof RecurrenceError)
      throw new EventFieldError('starts_at', `is invalid: ${error.message}`);
    throw error;
  }
}

function datesOf({ rdates = [], exdates = [], overrides = [] }: NewEvent): number {
  return rdates.length + exdates.length + overrides.length;
}
