import { configDefaults, defineConfig } from 'vitest/config';
import TestOrder from './test/test-order.ts';

/** Generated values are the same in every run, so that no test fails at random. */
const seeded = 'packages/testing/src/database/seeded.ts';
/**
 * Most of a small file's time is the start of a process that imports the product again. Files of these projects share a process one after
 * the other: they replace no module, and each has a database of its own.
 */
const sharesProcess = { isolate: false };
/** Statements on a firm's table must name the firm. */
const checked = 'packages/testing/src/statements/check-statements.ts';
const withDatabase = { globalSetup: ['packages/testing/src/database/global-setup.ts'] };
const withBrowser = {
  globalSetup: [...withDatabase.globalSetup, 'test/browser/build-console.ts'],
  // Each test walks through several pages, and each step may wait on a busy machine.
  testTimeout: 300_000,
};
/** The walk through every page, which also finds most faults of the other browser tests. */
const everyPage = 'test/browser/every-page.test.ts';
/** Tests beside the code that start programs, proxies or another server, or replace a module. */
const startsPrograms = [
  'apps/gateway/src/database-away.test.ts',
  'apps/gateway/src/http/connections.test.ts',
  'apps/gateway/src/http/health.test.ts',
  'apps/gateway/src/http/calls/idempotency-waiting.test.ts',
  'apps/gateway/src/http/sockets/lost-events.test.ts',
  'apps/gateway/src/http/calls/one-executor.test.ts',
  'apps/gateway/src/ops/**/*.test.ts',
  'apps/gateway/src/read-only-server.test.ts',
  'packages/domain/src/app/connections.test.ts',
  'packages/domain/src/app/services.test.ts',
  'packages/domain/src/platform/connections/connection-watch.test.ts',
  'packages/domain/src/platform/jobs/lost-jobs.test.ts',
  'packages/domain/src/platform/database/connections/replica.test.ts',
  'packages/domain/src/platform/jobs/worker-lease.test.ts',
  'packages/domain/src/platform/jobs/worker.test.ts',
  'packages/domain/src/tickets/streams/presence.test.ts',
  'packages/domain/src/tickets/streams/stream-failover.test.ts',
  'packages/seed/src/file/import-large-file.test.ts',
];

/** `pnpm test` runs the projects that a change usually breaks, `pnpm test:system` those whose names begin with `system:`. */
export default defineConfig({
  test: {
    // On two cores: one of three mostly waits for programs that it has started, for timers or for PostgreSQL.
    maxWorkers: 3,
    sequence: { sequencer: TestOrder },
    // Long enough for a busy machine: no test asserts a duration by it.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // The maximum wait for a condition, long enough for a busy machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
          setupFiles: [seeded],
          ...sharesProcess,
        },
      },
      { extends: true, test: { name: 'tools', include: ['tools/*.test.ts'], ...sharesProcess } },
      {
        extends: true,
        test: { name: 'console', include: ['apps/console/src/**/*.test.ts'], ...sharesProcess },
      },
      {
        extends: true,
        test: {
          name: 'recurrence',
          include: ['packages/recurrence/**/*.test.ts'],
          setupFiles: [seeded],
          ...sharesProcess,
        },
      },
      {
        extends: true,
        test: {
          name: 'domain',
          include: ['packages/{domain,testing}/src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...startsPrograms],
          setupFiles: [seeded, checked],
          ...withDatabase,
          ...sharesProcess,
        },
      },
      {
        extends: true,
        test: {
          name: 'seed',
          include: ['packages/seed/src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...startsPrograms],
          setupFiles: [seeded, checked],
          ...withDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: 'gateway',
          include: ['apps/gateway/src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...startsPrograms],
          setupFiles: [checked],
          ...withDatabase,
          ...sharesProcess,
        },
      },
      {
        extends: true,
        test: {
          name: 'proof',
          include: ['test/proof/**/*.test.ts'],
          provide: { fuzzRuns: 10 },
          setupFiles: [checked],
          ...withDatabase,
          ...sharesProcess,
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: [everyPage],
          ...withBrowser,
        },
      },
      { extends: true, test: { name: 'system:postgres', include: ['packages/postgres/src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'system:programs',
          include: startsPrograms,
          setupFiles: [seeded, checked],
          ...withDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: 'system:fuzz',
          include: ['test/proof/fuzz/**/*.test.ts'],
          provide: { fuzzRuns: 100 },
          setupFiles: [checked],
          ...withDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: 'system:outside',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/browser/**', 'test/citus/**', 'test/proof/**'],
          setupFiles: [checked],
          ...withDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: 'system:browser',
          include: ['test/browser/**/*.test.ts'],
          exclude: [...configDefaults.exclude, everyPage],
          ...withBrowser,
        },
      },
    ],
  },
});
