import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';

/**
 * `pnpm test:nightly` runs every property and fuzz test from a random seed, with 10,000 requests per endpoint. `FUZZ_SEED` and
 * `FUZZ_RUNS` override this; to repeat a failed run, set the values that it printed.
 */
const seed = process.env['FUZZ_SEED'] ?? String(randomInt(2 ** 31));
const runs = process.env['FUZZ_RUNS'] ?? '10000';

const suites = globSync('{apps,packages,test}/**/*.test.ts', { exclude: ['**/node_modules/**'] }).filter(
  (file) => /from '(fast-check|\.\/settings\.ts)'/.test(readFileSync(file, 'utf8')),
);

process.stdout.write(`FUZZ_SEED=${seed} FUZZ_RUNS=${runs}, ${suites.length} suites\n`);
const vitest = spawn('vitest', ['run', '--project', '!system:fuzz', ...suites], {
  env: { ...process.env, FUZZ_SEED: seed, FUZZ_RUNS: runs },
  stdio: 'inherit',
});
const [code] = await once(vitest, 'exit');
if (code !== 0) process.stdout.write(`Repeat: FUZZ_SEED=${seed} FUZZ_RUNS=${runs} pnpm test:nightly\n`);
process.exitCode = code ?? 1;
