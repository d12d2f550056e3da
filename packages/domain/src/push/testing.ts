import { Logger, runOnce } from 'graphile-worker';
import type { Services } from '../platform/services.ts';
import { pushHandlers } from './jobs.ts';

/** Runs all push jobs that are due. */
export async function runPushJobs(services: Services): Promise<void> {
  await runOnce({
    // The queue's own pool ignores errors too early: a connection that the server ends while it closes would fail the test.
    pgPool: services.pool,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: Object.fromEntries(
      pushHandlers.map(({ name, run }) => [name, (payload: unknown) => run(services, payload, undefined)]),
    ),
  });
}
