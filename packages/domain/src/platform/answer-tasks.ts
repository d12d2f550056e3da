import { parentPort } from 'node:worker_threads';

/** In a thread of `openThreads`: answers each task that comes. An error that `answer` throws is that of the task's caller, and ends the thread. */
export function answerTasks<Task, Answer>(answer: (task: Task) => Answer | Promise<Answer>): void {
  const port = parentPort!;
  port.on('message', async (task: Task) => port.postMessage(await answer(task)));
  port.postMessage('ready');
}
