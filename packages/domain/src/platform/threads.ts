import { once } from 'node:events';
import { type Transferable, Worker } from 'node:worker_threads';
import { ApiError } from './errors.ts';
import { Semaphore } from './semaphore.ts';

/** How long it takes says nothing of a task: on a busy machine, seconds. Less than a transaction may rest. */
const START_MS = 20_000;

export interface ThreadLimits {
  /** Tasks at once; the others wait for their turn. */
  threads: number;
  /** Memory and time of one task. */
  heapMb: number;
  deadlineMs: number;
}

/** A task that exceeded its memory or its time; its thread was ended. */
export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError';
  readonly limit: 'memory' | 'time';
  constructor(limit: 'memory' | 'time') {
    super(`The task takes too much ${limit}.`);
    this.limit = limit;
  }
}

/**
 * Opens threads for work that would hold up the event loop. `module` is what a thread runs; it calls `serveTasks`.
 * Threads start when they are first needed, and idle ones keep no process alive.
 *
 * The function that is returned raises `TaskLimitError`, and `unavailable` where no thread can be had.
 */
export function openThreads<Task, Answer>(module: URL, { threads, heapMb, deadlineMs }: ThreadLimits) {
  const semaphore = new Semaphore(threads);
  const idle: Worker[] = [];

  async function start(): Promise<Worker> {
    const thread = await startThread(module, heapMb);
    thread.once('exit', () => {
      const place = idle.indexOf(thread);
      if (place >= 0) idle.splice(place, 1);
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
      idle.push(thread);
      return answer;
    } catch (error) {
      thread.unref();
      // Not waited for: a thread that collects garbage may take long to end.
      void thread.terminate();
      if (deadline.aborted) throw new TaskLimitError('time');
      if (isOutOfMemory(error)) throw new TaskLimitError('memory');
      throw error;
    }
  }

  return (task: Task, transfer: readonly Transferable[] = []): Promise<Answer> =>
    semaphore.run(() => runTask(task, transfer));
}

async function startThread(module: URL, heapMb: number): Promise<Worker> {
  const thread = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  // The caller of a task hears of an error; one that comes after its deadline has no caller.
  thread.on('error', () => {});
  // A thread can end without an error, and would never answer.
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
