import { defineConfig } from 'vitest/config';

/** The tests that also run on a distributed installation (`pnpm test:citus`). */
export default defineConfig({
  test: {
    name: 'citus',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['packages/domain/src/testing/seeded.ts', 'test/citus/one-shard.ts'],
    globalSetup: ['packages/domain/src/testing/global-setup.ts'],
    include: [
      'test/citus/**/*.test.ts',
      'test/proof/workspace-isolation.test.ts',
      'test/proof/concurrency/**/*.test.ts',
      'apps/gateway/src/idempotency*.test.ts',
      'apps/gateway/src/procedure-answers.test.ts',
      'packages/domain/src/**/*.citus.ts',
      'packages/domain/src/{account,affiliates,assistant,calendar,devices,mail,notifications,push,tickets}/**/*.test.ts',
    ],
  },
});
