import { RecurrenceError } from '@firmdesk/recurrence';

/** Returns whether an error only means that a budget of work is used up. */
export function isTooMuchWork(error: unknown): boolean {
  return error instanceof RecurrenceError && error.reason === 'too-much-work';
}
