import { tmpdir } from 'node:os';
import { cloneDatabase } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { runNode } from './testing/run-node.ts';

test('refuses to distribute a database without the extension, and says what is needed', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const { code, stdout, stderr } = await runNode(
    'ops/main.ts',
    ['distribute', '--json'],
    { DATABASE_URL: database.url },
    tmpdir(),
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The database has no extension citus: .* citus_add_node\.\n$/);
});
