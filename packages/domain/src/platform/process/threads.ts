import { once } from 'node:events';
import { type Transferable, Worker } from 'node:worker_threads';
import { ApiError } from './errors.ts';
import { FairSemaphore } from './fair-semaphore.ts';

/** Limit for starting a thread: seconds on a busy machine, but below `IDLE_IN_TRANSACTION_MS`, since a transaction may wait for it. */
const START_MS = 12_000;

/** The `threadId` of a worker whose thread has ended. */
const ENDED = -1;

export interface ThreadLimits {
  /** Concurrent tasks; others wait. */
  threads: number;
  /** Limits of one task. */
  heapMb: number;
  deadlineMs: number;
}

/** A task exceeded its memory or time limit; its thread was ended. */
export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError';
  readonly limit: 'memory' | 'time';
  constructor(limit: 'memory' | 'time') {
    super(`The task exceeded its ${limit} limit.`);
    this.limit = limit;
  }
}

/**
 * Returns a function that runs tasks in threads, for work that would block the event loop. `module` is the code of a thread; it
 * calls `serveTasks`. Threads start on demand; idle threads do not keep the process alive.
 *
 * Tasks wait in queues, one for each firm or account, which the threads serve in turn: many tasks of one do not delay the others. The returned
 * function throws `TaskLimitError`, `rate_limited` when too many tasks wait in the queue, and `unavailable` when no thread can be started.
 */
export function openThreads<Task, Answer>(module: URL, { threads, heapMb, deadlineMs }: ThreadLimits) {
  const semaphore = new FairSemaphore(threads);
  const idle: Worker[] = [];

  async function start(): Promise<Worker> {
    const thread = await startThread(module, heapMb);
    thread.once('exit', () => {
      const index = idle.indexOf(thread);
      if (index >= 0) idle.splice(index, 1);
    });
    return thread;
  }

  async function runTask(task: Task, transfer: readonly Transferable[]): Promise<Answer> {
    const thread = idle.pop() ?? (await start());
    const deadline = AbortSignal.timeout(deadlineMs);
    thread.ref();
    try {
      thread.postMessage(task, transfer);
      const [answer] = (await once(thread, 'message', { signal: deadline })) as [Answer];
      thread.unref();
      // A thread can end together with its answer: Node then reports the end before this line runs.
      if (thread.threadId !== ENDED) idle.push(thread);
      return answer;
    } catch (error) {
      thread.unref();
      // Not awaited: a thread that collects garbage may take long to end.
      void thread.terminate();
      if (deadline.aborted) throw new TaskLimitError('time');
      if (isOutOfMemory(error)) throw new TaskLimitError('memory');
      throw error;
    }
  }

  return (queue: string, task: Task, transfer: readonly Transferable[] = []): Promise<Answer> =>
    semaphore.run(queue, () => runTask(task, transfer));
}

async function startThread(module: URL, heapMb: number): Promise<Worker> {
  const thread = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  // The caller of a task gets the error; after the deadline there is no caller.
  thread.on('error', () => {});
  // A thread can end without an error; without this its task would never settle.
  thread.once('exit', (code) => thread.emit('error', new Error(`The thread ended with code ${code}.`)));
  try {
    await once(thread, 'message', { signal: AbortSignal.timeout(START_MS) });
    return thread;
  } catch (cause) {
    void thread.terminate();
    throw new ApiError('unavailable', { cause, retryAfterSeconds: 1 });
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
