import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { isInstalled } from './is-installed.ts';

const OPS = new URL('../../ops/', import.meta.url).pathname;

/** The units that every service refers to. */
const TARGETS = ['basic.target', 'shutdown.target', 'sysinit.target'];
/** In tenths, as `systemd-analyze` takes it: what is left serves its purpose, such as the network. */
const MAX_EXPOSURE = 15;

describe.skipIf(!isInstalled('systemd-analyze', 'systemd'))('the systemd unit', () => {
  /** Runs `systemd-analyze` on the unit of a role. The folder is the only one with units: faults of this machine's units are not ours. */
  function analyze(args: string[], role: string, change = (unit: string) => unit) {
    const folder = mkdtempSync(join(tmpdir(), 'firmdesk-units-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const target of TARGETS) writeFileSync(join(folder, target), '[Unit]\n');
    const text = readFileSync(join(OPS, 'systemd/firmdesk@.service'), 'utf8');
    // The instance of a template has its name. The program of the unit exists on the machine that it is for.
    const unit = join(folder, `firmdesk@${role}.service`);
    writeFileSync(unit, change(text.replace('/usr/bin/node', process.execPath)));
    const { status, stdout, stderr } = spawnSync('sh', ['-c', 'systemd-analyze "$@"', 'sh', ...args, unit], {
      env: { PATH: process.env['PATH'], SYSTEMD_UNIT_PATH: folder },
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  }

  test.each(['gateway', 'worker'])('is valid for a %s', (role) => {
    expect(analyze(['verify'], role)).toEqual({ status: 0, output: '' });
  });

  test('is judged: an unknown setting is found', () => {
    const { output } = analyze(['verify'], 'gateway', (unit) => unit.replace('UMask=', 'UMsk='));
    expect(output).toContain("Unknown key 'UMsk'");
  });

  test.each(['gateway', 'worker'])('leaves a %s no rights that it does not need', (role) => {
    const security = ['security', '--offline=true', '--no-pager', `--threshold=${MAX_EXPOSURE}`];
    const { status, output } = analyze(security, role);
    expect(status, output).toBe(0);
    for (const setting of ['UMask', 'ProtectKernelLogs', 'ProtectProc', 'ProtectClock', 'PrivateUsers'])
      expect(output).toMatch(new RegExp(`^✓ ${setting}=`, 'm'));
  });

  test('bounds the memory of a process as the chart does', () => {
    const unit = readFileSync(join(OPS, 'systemd/firmdesk@.service'), 'utf8');
    const values = parse(readFileSync(join(OPS, 'helm/firmdesk/values.yaml'), 'utf8'));
    const limit = /^MemoryMax=(\d+G)$/m.exec(unit)?.[1];
    for (const role of ['gateway', 'worker']) expect(values[role].resources.limits.memory).toBe(`${limit}i`);
  });
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

test('every address of a database in the examples checks the certificate of the server', () => {
  const examples = readdirSync(OPS, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.\w+$/.test(path),
  );
  const guides = ['docs/scaling.md', 'docs/operations/configuration.md', 'docs/operations/install.md'].map(
    (path) => `../${path}`,
  );
  const lines = [...examples, ...guides].flatMap((path) =>
    readFileSync(join(OPS, path), 'utf8')
      .split('\n')
      .filter((line) => /postgres(?:ql)?:\/\//.test(line)),
  );
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.filter((line) => !line.includes('sslmode=verify-full'))).toEqual([]);
});

test('the compose file trusts the address of the proxy alone', () => {
  const { services, networks, ...rest } = parse(readFileSync(join(OPS, 'compose/compose.yaml'), 'utf8'));
  const { ipv4_address: proxy } = services.caddy.networks.default;
  expect(rest['x-environment'].TRUSTED_PROXIES).toBe(proxy);
  const [{ ip_range: range }] = networks.default.ipam.config;
  const others = new BlockList();
  const [first, bits] = range.split('/');
  others.addSubnet(first, Number(bits));
  expect(others.check(proxy)).toBe(false);
});

test.skipIf(!isInstalled('caddy'))('the proxy of the compose file has a valid configuration', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(OPS, 'compose/Caddyfile')];
  expect(execFileSync('sh', ['-c', 'caddy "$@" 2>&1', 'sh', ...args], { encoding: 'utf8' })).toContain(
    'Valid configuration',
  );
});
