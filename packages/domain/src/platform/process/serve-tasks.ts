import { parentPort } from 'node:worker_threads';

/** Answers the tasks of a thread that `openThreads` started. An error of `answer` is passed to the task's caller and ends the thread. */
export function serveTasks<Task, Answer>(answer: (task: Task) => Answer | Promise<Answer>): void {
  const port = parentPort!;
  port.on('message', async (task: Task) => port.postMessage(await answer(task)));
  port.postMessage('ready');
}
