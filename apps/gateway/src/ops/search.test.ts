import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase, type TestDatabase } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Outcome, runNode } from './testing/run-node.ts';

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

async function createFirm(slug: string, subjects: string[]): Promise<void> {
  const trader = `tess@${slug}.example`;
  await ops('firm', 'add', '--slug', slug, '--name', slug);
  await ops('user', 'add', '--email', trader, '--workspace', slug, '--role', 'trader');
  for (const subject of subjects) {
    await ops('trader-message', '--workspace', slug, '--from', trader, '--open', subject, 'Hello');
  }
}

test('indexes the pending texts of one firm, or of all firms, and nothing twice', async () => {
  await createFirm('north', ['First', 'Second']);
  await createFirm('south', ['Third']);
  const index = async (...args: string[]) => {
    const { code, stdout, stderr } = await ops('search', 'index', '--json', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  // Each ticket has its own text and a message.
  expect(await index('--workspace', 'north')).toEqual({
    firms: [{ workspace: 'north', indexed: 4, pending: 0 }],
  });
  expect(await index()).toEqual({
    firms: [
      { workspace: 'north', indexed: 0, pending: 0 },
      { workspace: 'south', indexed: 2, pending: 0 },
    ],
  });
  const { stdout } = await ops('search', 'index');
  expect(stdout).toMatch(/^workspace +indexed +pending\nnorth +0 +0\nsouth +0 +0\n$/);
});

test('rejects an unknown firm', async () => {
  const { code, stdout, stderr } = await ops('search', 'index', '--workspace', 'nowhere');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('There is no workspace nowhere.');
});

test('describes its options', async () => {
  const { code, stdout } = await ops('search', 'index', '--help');
  expect(code).toBe(0);
  expect(stdout).toContain('--workspace <slug>');
});
