import { RecurrenceError } from '@firmdesk/recurrence';
import { invalidField } from '../../platform/process/errors.ts';
import { isTooMuchWork } from '../tasks/too-much-work.ts';
import { EventFieldError } from './event-error.ts';
import { InvalidEventsError } from './insert-events.ts';

/** Runs a write, and converts errors of the event into `validation_failed` of the field. */
export async function asInvalidField<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const [problem] = error instanceof InvalidEventsError ? error.problems : [];
    if (isTooMuchWork(error))
      throw invalidField('recurrence_rule', 'makes a series that takes too much work to expand');
    // A change can move a time beyond the supported years.
    if (error instanceof RecurrenceError) throw invalidField('starts_at', `is invalid: ${error.message}`);
    const path = error instanceof EventFieldError ? error.path : problem?.path;
    const message = error instanceof EventFieldError ? error.problem : problem?.message;
    if (path === undefined || message === undefined) throw error;
    throw invalidField(path.replace(/^overrides\[\d+\]\./, ''), message);
  }
}
