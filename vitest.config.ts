import { configDefaults, defineConfig } from 'vitest/config';

/** Properties are tried on the same values every time: a suite that fails by chance tells nobody anything. */
const seeded = { setupFiles: ['packages/domain/src/testing/seeded.ts'] };
const withDatabase = { globalSetup: ['packages/domain/src/testing/global-setup.ts'] };

export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // How long a condition is waited for: on a busy machine, not how long it takes.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'console', include: ['apps/console/src/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'recurrence', include: ['packages/recurrence/**/*.test.ts'], ...seeded },
      },
      { extends: true, test: { name: 'postgres', include: ['packages/postgres/src/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'domain', include: ['packages/domain/src/**/*.test.ts'], ...seeded, ...withDatabase },
      },
      {
        extends: true,
        test: { name: 'seed', include: ['packages/seed/src/**/*.test.ts'], ...seeded, ...withDatabase },
      },
      {
        extends: true,
        test: { name: 'gateway', include: ['apps/gateway/src/**/*.test.ts'], ...withDatabase },
      },
      {
        extends: true,
        test: {
          name: 'outside',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/browser/**'],
          ...withDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // Whole walks through pages, each step of which may wait on a busy machine.
          testTimeout: 300_000,
          include: ['test/browser/**/*.test.ts'],
          globalSetup: [...withDatabase.globalSetup, 'test/browser/build-console.ts'],
        },
      },
    ],
  },
});
