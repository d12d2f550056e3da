import { execFileSync } from 'node:child_process';
import { cloneDatabase } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { ops } from '../started-gateway.ts';
import { isInstalled } from './is-installed.ts';

interface Result {
  check: string;
  ok: boolean;
  detail: string;
}

test.skipIf(!isInstalled('faketime')).each([
  { offset: '+600', direction: 'ahead of' },
  { offset: '-600', direction: 'behind' },
])(
  '`ops check` fails on a machine whose clock is $direction the database’s',
  async ({ offset, direction }) => {
    await using database = await cloneDatabase(inject('postgresUrl'));
    const library = execFileSync('sh', ['-c', 'ls /usr/lib/*/faketime/libfaketime.so.1'], {
      encoding: 'utf8',
    });
    const env = { LD_PRELOAD: library.trim(), FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    const { code, stdout } = await ops({ DATABASE_URL: database.url, ...env }, ['check', '--json']);
    const results: Result[] = JSON.parse(stdout);
    expect(code).toBe(1);
    const failed = results.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);
    expect(failed).toEqual([
      expect.stringMatching(
        new RegExp(
          `^clock: the clock of this machine is (599|60\\d)\\.\\d s ${direction} the database's: set both by NTP`,
        ),
      ),
    ]);
  },
  60_000,
);
