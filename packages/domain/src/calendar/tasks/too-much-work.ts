import { RecurrenceError } from '@firmdesk/recurrence';

/** Whether an error says that a budget of work was spent, and nothing about the event. */
export function isTooMuchWork(error: unknown): boolean {
  return error instanceof RecurrenceError && error.reason === 'too-much-work';
}
