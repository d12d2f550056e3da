import { limitWork, RecurrenceError } from '@firmdesk/recurrence';
import type { OperationContext } from '../../platform/database/context.ts';
import type { Log } from '../../platform/process/log.ts';
import { openThreads } from '../../platform/process/threads.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { EventFieldError } from '../events/event-error.ts';
import { EVENT_STEPS, LOOP_STEPS } from '../limits.ts';
import type { ThreadAnswer, ThreadTask } from './task-worker.ts';
import { type Tasks, tasks } from './tasks.ts';
import { isTooMuchWork } from './too-much-work.ts';

const runInThread = openThreads<ThreadTask, ThreadAnswer>(new URL('./task-worker.ts', import.meta.url), {
  threads: 2,
  heapMb: 512,
  deadlineMs: 15_000,
});

/** The queue for the tasks of jobs and commands, which run them one after another. */
export const SYSTEM_QUEUE = 'system';

/** The queue in which the tasks of a caller wait for a thread, and the log for tasks that fail. */
export interface TaskCaller {
  queue: string;
  log: Log;
}

/** Returns the queue in which the tasks of an operation wait for a thread: one for each account that calls. */
export function taskQueueOf(ctx: OperationContext | AccountContext): string {
  return 'identity' in ctx ? ctx.identity.user.id : SYSTEM_QUEUE;
}

/**
 * Runs a task on the event loop, or in a thread if it takes more than {@link LOOP_STEPS}. Throws the errors of the task, and
 * `RecurrenceError` `too-much-work` if it takes more than {@link EVENT_STEPS}. Throws `rate_limited` if too many tasks wait
 * in the queue.
 */
export async function runTask<Name extends keyof Tasks>(
  queue: string,
  name: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<ReturnType<Tasks[Name]>> {
  try {
    return runTaskOnLoop(name, ...args);
  } catch (error) {
    if (!isTooMuchWork(error)) throw error;
  }
  return runTaskInThread(queue, EVENT_STEPS, name, ...args);
}

/** Runs a task on the event loop. Throws the errors of the task, and `RecurrenceError` `too-much-work` beyond {@link LOOP_STEPS}. */
export function runTaskOnLoop<Name extends keyof Tasks>(
  name: Name,
  ...args: Parameters<Tasks[Name]>
): ReturnType<Tasks[Name]> {
  const run = tasks[name] as (...args: unknown[]) => ReturnType<Tasks[Name]>;
  return limitWork({ steps: LOOP_STEPS }, () => run(...args));
}

/**
 * Runs a task in a thread. For tasks whose cost steps do not measure in full, such as parsing a document. Throws like
 * {@link runTask}, and `TaskLimitError` if the task takes too much memory or time.
 */
export async function runTaskInThread<Name extends keyof Tasks>(
  queue: string,
  steps: number,
  name: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<ReturnType<Tasks[Name]>> {
  const answer = await runInThread(queue, { name, args, steps });
  if ('event' in answer) throw new EventFieldError(answer.event.path, answer.event.problem);
  if ('recurrence' in answer) throw new RecurrenceError(answer.recurrence.reason, answer.recurrence.message);
  return answer.value as ReturnType<Tasks[Name]>;
}
