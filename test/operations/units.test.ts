import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isInstalled } from './is-installed.ts';

const OPS = new URL('../../ops/', import.meta.url).pathname;

test.skipIf(!isInstalled('systemd-analyze', 'systemd'))('the systemd units are valid for both roles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'firmdesk-units-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const role of ['gateway', 'worker']) {
    // The instance of a template has its name.
    const unit = join(folder, `firmdesk@${role}.service`);
    copyFileSync(join(OPS, 'systemd/firmdesk@.service'), unit);
    // The program of the unit exists on the machine that it is for.
    const text = execFileSync('sh', ['-c', 'systemd-analyze verify "$1" 2>&1 || true', 'sh', unit], {
      encoding: 'utf8',
    });
    expect(
      text.split('\n').filter((line) => line !== '' && !line.includes('/usr/bin/node is not executable')),
    ).toEqual([]);
  }
});

test.skipIf(!isInstalled('docker-compose'))(
  'the compose file is valid, with two gateways, a worker and a proxy',
  () => {
    const text = execFileSync('docker-compose', ['-f', 'compose.yaml', 'config', '--services'], {
      cwd: join(OPS, 'compose'),
      env: { PATH: process.env['PATH'], POSTGRES_PASSWORD: 'x' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(text.trim().split('\n').toSorted()).toEqual([
      'caddy',
      'database',
      'gateway1',
      'gateway2',
      'model',
      'worker',
    ]);
  },
);

test.skipIf(!isInstalled('caddy'))('the proxy of the compose file has a valid configuration', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(OPS, 'compose/Caddyfile')];
  expect(execFileSync('sh', ['-c', 'caddy "$@" 2>&1', 'sh', ...args], { encoding: 'utf8' })).toContain(
    'Valid configuration',
  );
});
