import { spawn } from 'node:child_process';

/** Runs the tests of a distributed installation on the Citus cluster of `TEST_CITUS_URL`. Arguments choose files, as for vitest. */
if (process.env['TEST_CITUS_URL']) {
  const vitest = spawn('vitest', ['run', '--config', 'vitest.citus.config.ts', ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  vitest.once('exit', (code) => process.exit(code ?? 1));
} else {
  process.stdout.write(
    'Skipped: TEST_CITUS_URL does not name the coordinator of a Citus cluster (a superuser, and a database with the extension).\n',
  );
}
