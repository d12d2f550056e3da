import { execFile } from 'node:child_process';
import { access, glob, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { request } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import config from '../vitest.config.ts';
import { copyTree } from './copy-tree.ts';
import { type Block, blocksOf } from './docs/blocks.ts';
import { type StartedGateway, startGateway, stop, temporaryFolder } from './started-gateway.ts';

const GUIDE = 'CONTRIBUTING.md';
const ROOT = join(import.meta.dirname, '..');
const TIMEOUT_MS = 900_000;
const COUNTS = 'GET /v1/affiliates/pre-registrations/counts';
const blocks = await blocksOf(GUIDE);

/** Writes a new file, or applies a diff to one. The diff's old lines must occur in the file exactly once. */
async function apply(copy: string, { at, language, mark, code }: Block): Promise<void> {
  const file = join(copy, mark.replace('file=', ''));
  if (language !== 'diff') return writeFile(file, code, { flag: 'wx' });
  const lines = code.split('\n').slice(0, -1);
  const side = (sign: '-' | '+') =>
    lines
      .filter((line) => line === '' || line[0] === ' ' || line[0] === sign)
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const parts = (await readFile(file, 'utf8')).split(side('-'));
  if (parts.length !== 2) throw new Error(`${at}: found ${parts.length - 1} times in ${mark}.`);
  await writeFile(file, parts.join(side('+')));
}

/** Returns the commands of a block for the copy: without pnpm, and with checks of the changed packages only. */
async function scriptOf({ code }: Block): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const { scripts: ofClient } = JSON.parse(
    await readFile(join(ROOT, 'packages/client/package.json'), 'utf8'),
  );
  const changed = ['packages/contract', 'packages/domain', 'apps/gateway', 'packages/client'];
  return code
    .replace('pnpm --filter @firmdesk/client generate', `(cd packages/client && ${ofClient.generate})`)
    .replaceAll('pnpm exec ', '')
    .replace(/^pnpm (\w+)/gm, (_, name) => scripts[name])
    .replace(/turbo run typecheck.*/, changed.map((folder) => `tsc -p ${folder}`).join(' && '));
}

test('names files and folders that exist', async () => {
  const text = await readFile(join(ROOT, GUIDE), 'utf8');
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const quoted = [...prose.matchAll(/`((?:packages|apps|docs|test)\/[\w./-]+)`/g)].map(([, path]) => path!);
  const linked = [...prose.matchAll(/\]\((docs\/[^)]+)\)/g)].map(([, path]) => path!);
  const inProcedures = [...prose.matchAll(/`(procedures\/[\w-]+\.ts)`/g)].map(
    ([, path]) => `packages/domain/src/${path}`,
  );
  const paths = [...new Set([...quoted, ...linked, ...inProcedures])];
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) await access(join(ROOT, path));
});

test('lists every test project, and each project has tests', async () => {
  const projects = config.test!.projects as { test: { name: string; include: string[] } }[];
  const rows = [...(await readFile(join(ROOT, GUIDE), 'utf8')).matchAll(/^\| `([\w:]+)` +\|/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual(projects.map(({ test }) => test.name).sort());
  for (const { test } of projects) {
    const files = glob(test.include, { cwd: ROOT, exclude: ['**/node_modules'] });
    expect((await files.next()).value, test.name).toBeDefined();
  }
});

describe('the five steps of adding an endpoint, in a copy', { timeout: TIMEOUT_MS }, () => {
  let tree: Awaited<ReturnType<typeof copyTree>>;
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let gateway: StartedGateway;
  let url: string;
  let token: string;

  beforeAll(async () => {
    [tree, data] = await Promise.all([copyTree(), temporaryFolder()]);
    for (const block of blocks.filter(({ mark }) => mark.startsWith('file='))) await apply(tree.path, block);
    const [commands] = blocks.filter(({ language, mark }) => language === 'sh' && mark === 'run');
    const bin = join(tree.path, 'node_modules/.bin');
    const env = {
      PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: process.env['HOME'] ?? '/',
      NO_COLOR: '1',
    };
    const options = { cwd: tree.path, env, maxBuffer: 64 * 1024 * 1024 };
    await promisify(execFile)('bash', ['-e', '-c', await scriptOf(commands!)], options).catch((error) => {
      throw new Error(`${error.stdout}${error.stderr}`);
    });
    const main = join(tree.path, 'apps/gateway/src/main.ts');
    gateway = startGateway({ DATA_DIR: data.path }, [], undefined, main);
    url = await gateway.listening;
    token = /token +(fd_live_\S+)/.exec(gateway.stdout())![1]!;
  }, TIMEOUT_MS);

  afterAll(async () => {
    if (gateway) await stop(gateway);
    await data[Symbol.asyncDispose]();
    await tree[Symbol.asyncDispose]();
  });

  test('the endpoint answers', async () => {
    const { status, body } = await request(url, COUNTS, { token });
    expect([status, body.data.object]).toEqual([200, 'affiliate_pre_registration_counts']);
    expect(body.data.pending).toBeGreaterThan(0);
    expect(body.meta.request_id).toMatch(/^req_/);
  });

  test('the endpoint rejects a call without a token and invalid input', async () => {
    const anonymous = await request(url, COUNTS);
    expect([anonymous.status, anonymous.body.error.code]).toEqual([401, 'invalid_token']);
    const invalid = await request(url, `${COUNTS}?source=`, { token });
    expect([invalid.status, invalid.body.error.code]).toEqual([400, 'validation_failed']);
    expect(invalid.body.error.fields[0].path).toBe('source');
  });

  test('the document and the client contain the endpoint, and the document has its example', async () => {
    const document = (await request(url, 'GET /v1/openapi.json')).body;
    const { get } = document.paths['/v1/affiliates/pre-registrations/counts'];
    expect(get.summary).toBe('Count affiliate pre-registrations by status');
    const { examples } = get.responses[200].content['application/json'];
    expect(JSON.stringify(examples)).toContain('affiliate_pre_registration_counts');
    const client = await readFile(join(tree.path, 'packages/client/src/generated/procedures.ts'), 'utf8');
    expect(client).toContain('PreRegistrationCounts');
  });
});
