import { limitWork, RecurrenceError } from '@firmdesk/recurrence';
import { openThreads } from '../../platform/threads.ts';
import { EventError } from '../event-error.ts';
import { EVENT_STEPS, LOOP_STEPS } from '../limits.ts';
import type { ThreadAnswer, ThreadTask } from './task-thread.ts';
import { type Tasks, tasks } from './tasks.ts';
import { isTooMuchWork } from './too-much-work.ts';

const runInThread = openThreads<ThreadTask, ThreadAnswer>(new URL('./task-thread.ts', import.meta.url), {
  threads: 2,
  heapMb: 512,
  deadlineMs: 15_000,
});

/**
 * Runs a task: on the event loop, and where that takes more than {@link LOOP_STEPS}, in a thread. Throws what the task
 * throws, and `RecurrenceError` `too-much-work` where it takes more than {@link EVENT_STEPS}.
 */
export async function runTask<Name extends keyof Tasks>(
  name: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<ReturnType<Tasks[Name]>> {
  try {
    return runTaskOnLoop(name, ...args);
  } catch (error) {
    if (!isTooMuchWork(error)) throw error;
  }
  return runTaskInThread(EVENT_STEPS, name, ...args);
}

/** Runs a task on the event loop. Throws what the task throws, and `RecurrenceError` `too-much-work` where it takes more than {@link LOOP_STEPS}. */
export function runTaskOnLoop<Name extends keyof Tasks>(
  name: Name,
  ...args: Parameters<Tasks[Name]>
): ReturnType<Tasks[Name]> {
  const run = tasks[name] as (...args: unknown[]) => ReturnType<Tasks[Name]>;
  return limitWork({ steps: LOOP_STEPS }, () => run(...args));
}

/** {@link compute} for what is not measured in steps alone, and so is never run on the event loop. Raises `TaskLimitError` too. */
export async function runTaskInThread<Name extends keyof Tasks>(
  steps: number,
  name: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<ReturnType<Tasks[Name]>> {
  const answer = await runInThread({ name, args, steps });
  if ('event' in answer) throw new EventError(answer.event.path, answer.event.problem);
  if ('recurrence' in answer) throw new RecurrenceError(answer.recurrence.reason, answer.recurrence.message);
  return answer.value as ReturnType<Tasks[Name]>;
}
