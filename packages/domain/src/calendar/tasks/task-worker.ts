/** The worker thread of `run-task.ts`. */
import { limitWork, RecurrenceError, type RecurrenceReason } from '@firmdesk/recurrence';
import { serveTasks } from '../../platform/process/serve-tasks.ts';
import { EventFieldError } from '../events/event-error.ts';
import { tasks } from './tasks.ts';

export interface ThreadTask {
  name: keyof typeof tasks;
  args: unknown[];
  steps: number;
}

/** The result of a task. Errors are sent as data, because their classes do not survive the transfer between threads. */
export type ThreadAnswer =
  | { value: unknown }
  | { event: { path: string; problem: string } }
  | { recurrence: { reason: RecurrenceReason; message: string } };

serveTasks(({ name, args, steps }: ThreadTask): ThreadAnswer => {
  try {
    const run = tasks[name] as (...args: unknown[]) => unknown;
    return { value: limitWork({ steps }, () => run(...args)) };
  } catch (error) {
    if (error instanceof EventFieldError) return { event: { path: error.path, problem: error.problem } };
    if (error instanceof RecurrenceError)
      return { recurrence: { reason: error.reason, message: error.message } };
    throw error;
  }
});
