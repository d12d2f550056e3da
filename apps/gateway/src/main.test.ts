import { tmpdir } from 'node:os';
import { cloneDatabase } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { runNode } from './ops/testing/run-node.ts';

const start = (args: string[], env: Record<string, string> = {}) =>
  runNode('main.ts', args, { LOG_LEVEL: 'silent', PORT: '0', ...env }, tmpdir());

test.each([
  { args: ['--zzz'], message: "Unknown option '--zzz'" },
  { args: ['--role', 'zzz'], message: '--role must be one of all, gateway, worker' },
])('rejects the arguments $args and prints the usage', async ({ args, message }) => {
  const { code, stdout, stderr } = await start(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.split('\n').slice(0, 3)).toEqual([message, '', expect.stringMatching(/^Usage: pnpm start /)]);
});

test.each([
  // Reserved for documentation (RFC 5737, RFC 6761): no machine has it.
  {
    host: '192.0.2.1',
    message: '192.0.2.1 is not an address of this machine. Set HOST to one of its addresses.',
  },
  { host: 'unknown.invalid', message: 'HOST unknown.invalid cannot be resolved' },
])('rejects HOST=$host, on which it cannot listen, and names it', async ({ host, message }) => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const { code, stdout, stderr } = await start([], { DATABASE_URL: database.url, HOST: host });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(message);
});
