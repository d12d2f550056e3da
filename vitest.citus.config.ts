import { configDefaults, defineConfig } from 'vitest/config';

/** Ends and freezes servers of the cluster, so it runs alone. */
const FAULTS = 'test/citus/faults.test.ts';

/** The tests that also run on a distributed installation (`pnpm test:citus`). */
export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'citus',
          sequence: { groupOrder: 0 },
          setupFiles: ['packages/testing/src/database/seeded.ts', 'test/citus/one-shard.ts'],
          globalSetup: ['packages/testing/src/database/global-setup.ts'],
          include: [
            'test/citus/**/*.test.ts',
            'test/proof/workspace-isolation.test.ts',
            'test/proof/concurrency/**/*.test.ts',
            'apps/gateway/src/http/calls/idempotency*.test.ts',
            'apps/gateway/src/http/calls/procedure-answers.test.ts',
            'apps/gateway/src/{http/files/{attachment*,avatars,data-files},http/sockets/live-stream,sandbox,ops/{accounts,firms,import,personal-data}}.test.ts',
            'packages/seed/src/{export/*,file/import-from-file,import/*}.test.ts',
            'packages/domain/src/**/*.citus.ts',
            'packages/domain/src/{access,account,affiliates,assistant,attachments,calendar,devices,firm,macros,mail,notifications,push,reports,satisfaction,sla,templates,ticket-mail,tickets,traders,webhooks}/**/*.test.ts',
            'packages/domain/src/app/{accounts/erase-account,firms/*}.test.ts',
            'packages/domain/src/platform/{jobs/job-forwarder,database/retention}.test.ts',
          ],
          exclude: [...configDefaults.exclude, FAULTS],
        },
      },
      {
        extends: true,
        test: { name: 'citus-faults', sequence: { groupOrder: 1 }, include: [FAULTS] },
      },
    ],
  },
});
