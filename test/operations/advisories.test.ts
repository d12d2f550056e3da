import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../started-gateway.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const NOT_CHECKED = 'KNOWN VULNERABILITIES WERE NOT CHECKED';

/** What the registry answers when it is asked for advisories. */
let answer: { status: number; body: object } = { status: 200, body: {} };
const registry = createServer((req, res) => {
  req.resume().on('end', () => {
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
});
beforeAll(async () => {
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => registry.close());

const advisory = (severity: string) => ({
  ...{ id: 1, url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc', title: 'A title', severity },
  ...{ vulnerable_versions: '<999', cwe: ['CWE-20'], cvss: { score: 8, vectorString: null } },
});

/** Runs the check on the lockfile of this repository, in a folder of its own. */
async function check(settings = '') {
  await using folder = await temporaryFolder();
  for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
    await cp(join(ROOT, file), join(folder.path, file));
  await mkdir(join(folder.path, '.ci'));
  await cp(join(ROOT, '.ci/check-advisories'), join(folder.path, '.ci/check-advisories'));
  await appendFile(join(folder.path, 'pnpm-workspace.yaml'), settings);
  const { port } = registry.address() as AddressInfo;
  const child = spawn(
    join(folder.path, '.ci/check-advisories'),
    ['--registry', `http://127.0.0.1:${port}/`],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [status] = await once(child, 'close');
  return { status, output };
}

test.each([404, 405])('a registry that answers %i fails nothing, and the check says so', async (status) => {
  answer = { status, body: {} };
  const checked = await check();
  expect([checked.status, checked.output]).toEqual([0, expect.stringContaining(NOT_CHECKED)]);
});

test.each([
  ['high', 'express', 1],
  ['critical', 'ws', 1],
  ['moderate', 'express', 0],
  ['critical', 'vitest', 0],
])('a vulnerability of severity %s in %s ends the check with %i', async (severity, name, status) => {
  answer = { status: 200, body: { [name]: [advisory(severity)] } };
  const checked = await check();
  expect([checked.status, checked.output]).toEqual([status, expect.not.stringContaining(NOT_CHECKED)]);
});

test('an accepted vulnerability fails nothing, as SECURITY.md says', async () => {
  answer = { status: 200, body: { express: [advisory('high')] } };
  expect((await check('\nauditConfig:\n  ignoreGhsas:\n    - GHSA-aaaa-bbbb-cccc # why\n')).status).toBe(0);
});
