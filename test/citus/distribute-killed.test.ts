import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type FilledCluster, openFilledCluster } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ops } from '../started-gateway.ts';

const OPS = fileURLToPath(new URL('../../apps/gateway/src/ops/main.ts', import.meta.url));
const FIRMS = 20;
/** A run is killed after at most so many steps. */
const MAX_STEPS = 30;
/** A step takes about so long: a run is killed at some moment of it. */
const STEP_MS = 60;

let cluster: FilledCluster;
beforeAll(async () => {
  cluster = await openFilledCluster(inject('postgresUrl'), FIRMS);
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Starts `pnpm ops distribute`, and kills it at a random moment. Returns its exit code: 0 if it had ended before. */
async function runAndKill(): Promise<number | null> {
  const child = spawn(process.execPath, [OPS, 'distribute', '--shards', '4'], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: cluster.services.databaseUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const steps = Math.ceil(Math.random() * MAX_STEPS);
  let seen = 0;
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
    seen += chunk.toString().split('\n').length - 1;
    if (seen >= steps) setTimeout(() => child.kill('SIGKILL'), Math.random() * STEP_MS);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  // A run that fails by itself would hide what the kills do.
  expect(signal ?? code, errors).toBeOneOf([0, 'SIGKILL']);
  return code;
}

test('distributes a filled installation although the command is killed again and again', async () => {
  const { counts, foreignKeys, rowsOf } = cluster;
  const [rows, keys] = [await counts(), await foreignKeys()];
  let kills = 0;
  while ((await runAndKill()) !== 0) kills++;
  expect(kills).toBeGreaterThan(3);
  const again = await ops({ DATABASE_URL: cluster.services.databaseUrl }, ['distribute', '--shards', '4']);
  expect(again).toMatchObject({
    code: 0,
    stdout: 'All tables are already distributed over 2 servers.\n',
    stderr: '',
  });
  expect(await counts()).toEqual(rows);
  expect(await foreignKeys()).toEqual(keys);
  expect(await rowsOf('select * from pg_dist_cleanup')).toEqual([]);
});
