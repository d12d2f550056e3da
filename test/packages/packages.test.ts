import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { createTicketFixture, openTestGateway } from '@firmdesk/gateway/testing';
import { publint } from 'publint';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  breakingChanges,
  folderOf,
  mayBreak,
  type Published,
  published,
  report,
  reportOf,
} from './api-report.ts';

const run = promisify(execFile);
const compilers = {
  'TypeScript 5.9': '../../packages/client/generate/node_modules/typescript/bin/tsc',
  'TypeScript 7': '../../node_modules/typescript/bin/tsc',
};

let folder: string;
let tarballs: Record<Published, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firmdesk-packages-'));
  const pack = async (name: Published) => {
    const out = join(folder, `${name}.tgz`);
    await run('npx', ['--yes', 'pnpm@12', 'pack', '--out', out], { cwd: folderOf(name) });
    return [name, out] as const;
  };
  const packed: (readonly [Published, string])[] = [];
  for (const name of published) packed.push(await pack(name));
  tarballs = Object.fromEntries(packed) as typeof tarballs;
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(published)('the package @firmdesk/%s', (name) => {
  test('has a valid manifest', async () => {
    const tarball = await readFile(tarballs[name]);
    const { messages } = await publint({ pack: { tarball: bufferOf(tarball) }, strict: true });
    expect(messages).toEqual([]);
  });

  test('has correct types for every module resolution', async () => {
    const result = await checkPackage(createPackageFromTarballData(await readFile(tarballs[name])));
    const problems = result.types ? result.problems : ['no types'];
    // ESM only: `require` works from Node 20.19 on, and the resolution of Node 10 does not support `exports`.
    const isLegacy = (problem: (typeof problems)[number]) =>
      typeof problem === 'object' &&
      (problem.kind === 'CJSResolvesToESM' ||
        ('resolutionKind' in problem && problem.resolutionKind === 'node10'));
    expect(problems.filter((problem) => !isLegacy(problem))).toEqual([]);
  });

  test('contains its licence and README, and no tests or sources', async () => {
    const { stdout } = await run('tar', ['tzf', tarballs[name]]);
    const files = stdout.trim().split('\n');
    expect(files).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/dist/index.js']),
    );
    expect(files.filter((file) => /test|src\//.test(file))).toEqual([]);
  });

  test('depends on ranges, so that an application gets one copy of a package that it uses too', async () => {
    const { stdout } = await run('tar', ['xzOf', tarballs[name], 'package/package.json']);
    const { dependencies = {} } = JSON.parse(stdout) as { dependencies?: Record<string, string> };
    const shared = Object.entries(dependencies).filter(([id]) => /^(zod$|@trpc\/)/.test(id));
    expect(shared.filter(([, range]) => !range.startsWith('^'))).toEqual([]);
  });

  test('has the types of its committed report', async () => {
    const [before, after] = [await readFile(reportOf(name), 'utf8'), await report(name)];
    if (before === after) return;
    const losses = (await mayBreak(name, before)) ? [] : breakingChanges(before, after);
    expect(losses, 'a breaking change without a version or changeset').toEqual([]);
    expect.fail('the report is outdated: run `pnpm --filter @firmdesk/test api`');
  });
});

describe('a package consumer', () => {
  let home: string;

  beforeAll(async () => {
    home = join(folder, 'home');
    await cp(
      fileURLToPath(new URL('package-consumer.ts', import.meta.url)),
      join(home, 'package-consumer.ts'),
    );
    await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'es2022',
      // tRPC's declarations use disposables.
      lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
      types: [],
      outDir: 'out',
    };
    await writeFile(
      join(home, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['package-consumer.ts'] }),
    );
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
    await run('npm', ['install', ...flags, ...Object.values(tarballs)], { cwd: home });
  }, 600_000);

  test('installs these packages and no server', async () => {
    const modules = join(home, 'node_modules');
    const names = (await readdir(modules)).filter((name) => !name.startsWith('.'));
    const scoped = names
      .filter((name) => name.startsWith('@'))
      .map(async (scope) => (await readdir(join(modules, scope))).map((name) => `${scope}/${name}`));
    const installed = [
      ...names.filter((name) => !name.startsWith('@')),
      ...(await Promise.all(scoped)).flat(),
    ];
    // TypeScript is a peer of tRPC, with a package of binaries for each platform.
    expect(installed.filter((name) => !name.startsWith('@typescript/')).sort()).toEqual([
      '@firmdesk/client',
      '@firmdesk/contract',
      '@firmdesk/recurrence',
      '@trpc/client',
      '@trpc/server',
      'copy-anything',
      'openapi-fetch',
      'openapi-typescript-helpers',
      'superjson',
      'typescript',
      'zod',
    ]);
  });

  // Compressed, and with all dependencies: what an application adds to its script.
  test.each([
    ['createRpcClient', 25_000],
    ['createRestClient', 8_000],
  ])('adds %s to an application for at most %i bytes', async (name, limit) => {
    const entry = join(home, `${name}.js`);
    await writeFile(entry, `export { ${name} } from '@firmdesk/client';`);
    const lib = { entry, formats: ['es' as const] };
    const options = { write: false, minify: true, target: 'es2022', lib };
    const [built] = (await build({
      root: home,
      configFile: false,
      logLevel: 'error',
      build: options,
    })) as unknown as [{ output: { code: string }[] }];
    const script = built.output.map(({ code }) => code).join('');
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(limit);
  });

  test('installs less than a megabyte of our code', async () => {
    const ours = join(home, 'node_modules/@firmdesk');
    const entries = await readdir(ours, { recursive: true, withFileTypes: true });
    const sizes = entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(1_000_000);
  });

  test.each(Object.entries(compilers))(
    'type-checks a program under %s, including the declarations',
    async (_, compiler) => {
      const tsc = fileURLToPath(new URL(compiler, import.meta.url));
      const { stdout } = await run(process.execPath, [tsc], { cwd: home }).catch((error) => error);
      expect(stdout).toBe('');
    },
    300_000,
  );

  test('runs it against a gateway', async () => {
    await using gateway = await openTestGateway(inject('postgresUrl'));
    const fixture = await createTicketFixture(gateway);
    const ticket = await fixture.createTicket();
    const { stdout } = await run(
      process.execPath,
      ['out/package-consumer.js', gateway.url, fixture.token, ticket],
      {
        cwd: home,
      },
    );
    expect(stdout.trim().split('\n')).toEqual([
      'true true',
      'same',
      'received a note',
      'ticket_message true',
      'resource_not_found 404',
      '3 occurrences',
    ]);
  });
});

function bufferOf(bytes: Buffer): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
