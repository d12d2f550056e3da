import { RecurrenceError } from '@firmdesk/recurrence';
import { isTooMuchWork } from '../tasks/too-much-work.ts';

/** An invalid field of an event. `path` is like `overrides[2].ends_at`; `problem` continues it: `must not be before the start`. */
export class EventFieldError extends Error {
  override readonly name = 'EventFieldError';
  readonly path: string;
  readonly problem: string;
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

/** Runs a function, and adds the path in the event to its errors. */
export function atPath<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EventFieldError) throw new EventFieldError(path + error.path, error.problem);
    // A used-up budget is not an error of the field: the work may continue in a thread.
    if (!(error instanceof RecurrenceError) || isTooMuchWork(error)) throw error;
    if (error.reason === 'end-before-start')
      throw new EventFieldError('ends_at', 'must not be before the start');
    throw new EventFieldError(path, `is invalid: ${error.message}`);
  }
}

/** {@link atPath} for a field within a path. */
export function atField<T>(field: string, read: () => T): T {
  return atPath(`.${field}`, read);
}
