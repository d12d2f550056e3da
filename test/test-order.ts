import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mostly wait for programs they start, or for timers, the longest first. */
const waitingFiles = [
  'test/faults/faults.test.ts',
  'test/operations/proxies/proxies.test.ts',
  'test/connections.test.ts',
  'test/contributing.test.ts',
  'test/patroni.test.ts',
  'test/client/follow.test.ts',
  'test/start.test.ts',
  'test/roles.test.ts',
  'test/operations/image.test.ts',
  'test/operations/secrets.test.ts',
  'test/shutdown.test.ts',
  'test/faults/nodes.test.ts',
  'test/telemetry.test.ts',
  'packages/postgres/src/sharing.test.ts',
  'packages/domain/src/platform/jobs/worker.test.ts',
  'apps/gateway/src/http/connections.test.ts',
  'test/operations/restore.test.ts',
  'packages/postgres/src/recovery.test.ts',
  'test/operations/process.test.ts',
  'packages/domain/src/push/apns/apns.test.ts',
  'packages/domain/src/tickets/streams/stream-failover.test.ts',
  'packages/domain/src/platform/jobs/lost-jobs.test.ts',
  'packages/domain/src/platform/connections/connection-watch.test.ts',
  'apps/gateway/src/http/calls/idempotency-waiting.test.ts',
];

/**
 * Runs browser tests, which keep the processor busy, beside tests that mostly wait, and both before all others: the last file to start is
 * then a short one, so that no worker idles at the end.
 */
export default class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = waitingFiles.flatMap((path) => sorted.filter(({ moduleId }) => moduleId.endsWith(path)));
    const browser = sorted.filter(({ project }) => project.name === 'system:browser');
    const first = Array.from({ length: Math.max(waiting.length, browser.length) }, (_, index) => [
      ...waiting.slice(index, index + 1),
      ...browser.slice(index, index + 1),
    ]).flat();
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}
