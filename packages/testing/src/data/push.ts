import type { Services } from '@firmdesk/domain';
import { moveRequestedJobs, pushHandlers } from '@firmdesk/domain/testing';
import { Logger, runOnce } from 'graphile-worker';

/** Runs all push jobs that are due, and those that they enqueue. */
export async function runPushJobs(services: Services): Promise<void> {
  while ((await moveRequestedJobs(services.firmServers)) > 0) await runQueuedJobs(services);
  await runQueuedJobs(services);
}

function runQueuedJobs(services: Services): Promise<void> {
  return runOnce({
    // graphile-worker removes the error handler of a pool of its own before the connections are closed. If the server ended one of
    // them then, its error would fail the test.
    pgPool: services.pool,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: Object.fromEntries(
      pushHandlers.map(({ name, run }) => [name, (payload: unknown) => run(services, payload, undefined)]),
    ),
  });
}
