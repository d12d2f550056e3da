import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { TestTask } from '../testing/thread.ts';
import { openThreads, TaskLimitError } from './threads.ts';

const MODULE = new URL('../testing/thread.ts', import.meta.url);
const open = (threads: number, deadlineMs = 30_000) =>
  openThreads<TestTask, number>(MODULE, { threads, heapMb: 64, deadlineMs });
const meetingOf = (all: number): TestTask => ({ kind: 'meet', met: new SharedArrayBuffer(4), all });

describe('openThreads', () => {
  test('runs one task per thread concurrently, and reuses threads', async () => {
    const run = open(2);
    const meeting = meetingOf(2);
    const ids = await Promise.all([run('a', meeting), run('a', meeting)]);
    expect(new Set(ids).size).toBe(2);
    const later = await Promise.all([
      run('a', { kind: 'id' }),
      run('a', { kind: 'id' }),
      run('a', { kind: 'id' }),
    ]);
    expect(ids).toEqual(expect.arrayContaining(later));
  });

  test('serves a queue with one task before the many others of another', async () => {
    const run = open(1);
    const ended: string[] = [];
    const call = (queue: string) => run(queue, { kind: 'id' }).then(() => ended.push(queue));
    await Promise.all([...Array.from({ length: 10 }, () => call('busy')), call('other')]);
    expect(ended.indexOf('other')).toBe(2);
  });

  test('keeps the event loop free while a task runs', async () => {
    const run = open(1);
    const met = new SharedArrayBuffer(4);
    const task = run('a', { kind: 'meet', met, all: 2 });
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.add(new Int32Array(met), 0, 1);
    Atomics.notify(new Int32Array(met), 0);
    await expect(task).resolves.toEqual(expect.any(Number));
  });

  test('ends the thread of a task that exceeds its time, and starts another', async () => {
    const run = open(1, 4_000);
    const first = await run('a', { kind: 'id' });
    const error = await run('a', meetingOf(2)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TaskLimitError);
    expect(error).toMatchObject({ limit: 'time' });
    expect(await run('a', { kind: 'id' })).not.toBe(first);
  });

  test('throws the error of a task to its caller, and continues', async () => {
    const run = open(1);
    await expect(run('a', { kind: 'fail' })).rejects.toThrow('no such thing');
    await expect(run('a', { kind: 'id' })).resolves.toEqual(expect.any(Number));
  });

  test('throws to the caller when the thread of its task ends, and does not reuse that thread', async () => {
    const run = open(1);
    await expect(run('a', { kind: 'exit' })).rejects.toThrow('The thread ended with code 3.');
    const first = await run('a', { kind: 'exit-later' });
    await expect.poll(() => run('a', { kind: 'id' }).catch(() => first)).not.toBe(first);
  });

  test('does not reuse a thread that ended before its answer was read', async () => {
    for (let round = 0; round < 10; round++) {
      const run = open(1, 4_000);
      await run('a', { kind: 'id' });
      const answer = run('a', { kind: 'exit-later' });
      await new Promise((resolve) => setImmediate(resolve));
      // Blocks the event loop, so that it gets the answer and the end at once.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      await answer;
      // A thread that ends only after this call has begun ends the call with its own error.
      const next = await run('a', { kind: 'id' }).catch((error: Error) => error.message);
      expect([expect.any(Number), 'The thread ended with code 3.']).toContainEqual(next);
    }
  });

  test('does not keep the process alive', async () => {
    const script = `
      import { openThreads } from ${JSON.stringify(new URL('./threads.ts', import.meta.url).href)};
      const run = openThreads(new URL(${JSON.stringify(MODULE.href)}), { threads: 1, heapMb: 64, deadlineMs: 60_000 });
      console.log(typeof (await run('a', { kind: 'id' })));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script], { timeout: 30_000 });
    expect(stdout).toBe('number\n');
  });
});
