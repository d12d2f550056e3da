import { tmpdir } from 'node:os';
import { cloneDatabase } from '@firmdesk/domain/testing';
import { expect, inject, test } from 'vitest';
import { runNode } from './ops/testing/run-node.ts';

const start = (args: string[], env: Record<string, string> = {}) =>
  runNode('main.ts', args, { LOG_LEVEL: 'silent', PORT: '0', ...env }, tmpdir());

test.each([
  { args: ['--zzz'], fault: "Unknown option '--zzz'" },
  { args: ['--role', 'zzz'], fault: '--role must be one of all, gateway, worker' },
])('arguments $args are answered with the usage', async ({ args, fault }) => {
  const { code, stdout, stderr } = await start(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.split('\n').slice(0, 3)).toEqual([fault, '', expect.stringMatching(/^Usage: pnpm start /)]);
});

test.each([
  // Reserved for documentation (RFC 5737, RFC 6761): no machine has it.
  {
    host: '192.0.2.1',
    fault: '192.0.2.1 is not an address of this machine. Set HOST to one of its addresses.',
  },
  { host: 'nobody.invalid', fault: 'HOST nobody.invalid cannot be resolved' },
])('HOST=$host, where one cannot listen, is named', async ({ host, fault }) => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const { code, stdout, stderr } = await start([], { DATABASE_URL: database.url, HOST: host });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(fault);
});
