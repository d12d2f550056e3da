import { limitWork } from '@firmdesk/recurrence';
import { CHANGE_STEPS } from '../limits.ts';

/** Runs a part of a change of one event on the event loop. Throws `RecurrenceError` `too-much-work` beyond {@link CHANGE_STEPS}. */
export function limitChangeWork<T>(run: () => T): T {
  return limitWork({ steps: CHANGE_STEPS }, run);
}
