import { RecurrenceError } from '@firmdesk/recurrence';
import { EventError } from './event-error.ts';
import type { EventRows, NewEvent } from './event-rows.ts';
import { compute } from './work/compute.ts';
import { isTooMuchWork } from './work/too-much-work.ts';

/** The rows of an event; a large one is worked out in a thread. Throws `EventError`. */
export async function prepareEvent(event: NewEvent): Promise<EventRows> {
  try {
    return await compute('eventRows', event);
  } catch (error) {
    if (isTooMuchWork(error))
      throw new EventError('recurrence_rule', 'makes a series that takes too much work');
    if (error instanceof RecurrenceError) throw new EventError('starts_at', error.message);
    throw error;
  }
}
