import { defineConfig } from 'vitest/config';

const withDatabase = { globalSetup: ['packages/domain/src/testing/global-setup.ts'] };

export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      { test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      { test: { name: 'recurrence', include: ['packages/recurrence/**/*.test.ts'] } },
      { test: { name: 'postgres', include: ['packages/postgres/src/**/*.test.ts'] } },
      { test: { name: 'domain', include: ['packages/domain/src/**/*.test.ts'], ...withDatabase } },
      { test: { name: 'gateway', include: ['apps/gateway/src/**/*.test.ts'], ...withDatabase } },
      { test: { name: 'outside', include: ['test/**/*.test.ts'], ...withDatabase } },
    ],
  },
});
