import { RecurrenceError } from '@firmdesk/recurrence';
import { isTooMuchWork } from './tasks/too-much-work.ts';

/** What is wrong with an event; `path` is like `overrides[2].ends_at`. */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly path: string;
  readonly problem: string;
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

/** Gives what went wrong its place in the event. */
export function atPath<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EventError) throw new EventError(path + error.path, error.problem);
    // That the work is bounded says nothing of a field: it may go on in a thread.
    if (!(error instanceof RecurrenceError) || isTooMuchWork(error)) throw error;
    if (error.reason === 'end-before-start') throw new EventError('ends_at', 'lies before starts_at');
    throw new EventError(path, error.message);
  }
}

export function atField<T>(field: string, read: () => T): T {
  return atPath(`.${field}`, read);
}
