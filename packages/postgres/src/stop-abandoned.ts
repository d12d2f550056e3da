// Stops the server of a process that has ended, unless another process uses it. Started by `parent-watch.ts`.
import { setTimeout as sleep } from 'node:timers/promises';
import { readAbandoned } from './parent-watch.ts';
import { stopIfLast } from './stop-if-last.ts';

/** The server may notice the end of its user a moment later. */
const ATTEMPTS = 10;
const PAUSE_MS = 500;

const { cluster, lifetime } = readAbandoned(process.env);
for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
  if (await stopIfLast(cluster, lifetime, undefined, () => undefined)) break;
  await sleep(PAUSE_MS);
}
