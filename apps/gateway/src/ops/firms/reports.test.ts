import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase, type TestDatabase } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Outcome, runNode } from '../testing/run-node.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await cloneDatabase(inject('postgresUrl'));
  folder = await mkdtemp(join(tmpdir(), 'firmdesk-ops-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database[Symbol.asyncDispose]();
});

const ops = (...args: string[]): Promise<Outcome> =>
  runNode('ops/main.ts', args, { DATABASE_URL: database.url }, folder);

test('rebuilds the reports of one firm, and rejects an unknown one', async () => {
  await ops('firm', 'add', '--slug', 'north', '--name', 'North');
  await ops('user', 'add', '--email', 'tess@north.example', '--workspace', 'north', '--role', 'trader');
  await ops(
    'trader-message',
    '--workspace',
    'north',
    '--from',
    'tess@north.example',
    '--open',
    'Payout',
    'Hello',
  );
  // A slow machine shows progress on stderr.
  const { code, stdout, stderr } = await ops('reports', 'rebuild', '--json', '--workspace', 'north');
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ firms: [{ workspace: 'north', days: 3 }] });
  const unknown = await ops('reports', 'rebuild', '--workspace', 'nowhere');
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toContain('There is no workspace nowhere.');
  expect((await ops('reports', 'rebuild', '--help')).stdout).toContain('--workspace <slug>');
});
