/** The thread module of `threads.test.ts`. */
import { threadId } from 'node:worker_threads';
import { serveTasks } from '../process/serve-tasks.ts';

/** `exit-later`: answers, then ends the thread. `meet`: waits until this many tasks are in progress. */
export type TestTask =
  | { kind: 'id' }
  | { kind: 'fail' }
  | { kind: 'exit' }
  | { kind: 'exit-later' }
  | { kind: 'meet'; met: SharedArrayBuffer; all: number };

serveTasks((task: TestTask): number => {
  if (task.kind === 'fail') throw new RangeError('no such thing');
  if (task.kind === 'exit') process.exit(3);
  if (task.kind === 'exit-later') setImmediate(() => process.exit(3));
  if (task.kind === 'meet') {
    const met = new Int32Array(task.met);
    Atomics.add(met, 0, 1);
    Atomics.notify(met, 0);
    for (let seen = Atomics.load(met, 0); seen < task.all; seen = Atomics.load(met, 0))
      Atomics.wait(met, 0, seen);
  }
  return threadId;
});
