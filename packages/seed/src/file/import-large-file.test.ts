import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTestServices } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { openFolder, writeManyTickets } from '../testing/import-files.ts';

const CHILD = new URL('../testing/import-child.ts', import.meta.url).pathname;

test('imports a file that is larger than the heap', { timeout: 240_000 }, async () => {
  await using folder = await openFolder();
  await using base = await openTestServices(inject('postgresUrl'));
  const path = join(folder.path, 'large.json');
  await writeManyTickets(path, 20_000, 10_000);
  const heapMegabytes = 180;
  expect((await stat(path)).size).toBeGreaterThan(heapMegabytes * 2 ** 20);
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${heapMegabytes}`,
    CHILD,
    base.databaseUrl,
    path,
  ]);
  expect(stdout).toBe('20000\n');
});
