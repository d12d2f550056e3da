import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { runningTime } from './running-time.ts';

const WAIT_MS = 200;
const BLOCK_MS = 500;

test('what arrives while the process does not run is read before the time is over', async () => {
  const order: string[] = [];
  const arrived = new SharedArrayBuffer(4);
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    parentPort.once('message', () => {
      parentPort.postMessage('arrived');
      Atomics.store(new Int32Array(workerData), 0, 1);
    });`;
  const worker = new Worker(source, { eval: true, workerData: arrived });
  worker.on('message', (message) => order.push(message));
  const over = runningTime(WAIT_MS).then(() => order.push('over'));
  // Timers that are due run before what has arrived is read, if the process was busy in this phase of its loop.
  setImmediate(() => {
    const until = performance.now() + BLOCK_MS;
    worker.postMessage('send');
    while (performance.now() < until || Atomics.load(new Int32Array(arrived), 0) === 0);
  });
  await over;
  await worker.terminate();
  expect(order).toEqual(['arrived', 'over']);
});

test('ends at its signal', async () => {
  const stop = new AbortController();
  const over = runningTime(60_000, stop.signal);
  stop.abort();
  await over;
});
