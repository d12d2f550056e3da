import { Logger, runOnce } from 'graphile-worker';
import type { Services } from '../platform/services.ts';
import { pushHandlers } from './jobs.ts';

/** Does the jobs of push that wait, until none is left that may run now. */
export async function runPushJobs(services: Services): Promise<void> {
  await runOnce({
    // A pool of the queue's own stops listening while its connections still close: one that the server ends then fails the test.
    pgPool: services.pool,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: Object.fromEntries(
      pushHandlers.map(({ name, run }) => [name, (payload: unknown) => run(services, payload, undefined)]),
    ),
  });
}
