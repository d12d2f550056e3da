import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { createTicketFixture, openTestGateway } from '@firmdesk/testing/gateway';
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
import { openRegistry } from './registry.ts';

const run = promisify(execFile);
const compilers = {
  'TypeScript 5.9': '../../packages/client/generate/node_modules/typescript/bin/tsc',
  'TypeScript 7': '../../node_modules/typescript/bin/tsc',
};

const NPM_FLAGS = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];

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
    // The resolution of Node 10 does not support `exports`.
    const isLegacy = (problem: (typeof problems)[number]) =>
      typeof problem === 'object' && 'resolutionKind' in problem && problem.resolutionKind === 'node10';
    expect(problems.filter((problem) => !isLegacy(problem))).toEqual([]);
  });

  test('contains its licence, README and changelog, and no tests or sources', async () => {
    const { stdout } = await run('tar', ['tzf', tarballs[name]]);
    const files = stdout.trim().split('\n');
    expect(files).toEqual(
      expect.arrayContaining([
        'package/LICENSE',
        'package/README.md',
        'package/CHANGELOG.md',
        'package/dist/index.js',
        'package/dist/cjs/index.js',
      ]),
    );
    expect(files.filter((file) => /\.test\.|src\//.test(file))).toEqual([]);
  });

  test('names its repository, home page and issue tracker', async () => {
    const manifest = await manifestOf(tarballs[name]);
    expect(manifest['repository']).toMatchObject({ type: 'git', directory: `packages/${name}` });
    expect([manifest['homepage'], manifest['bugs']]).toEqual([
      expect.stringContaining(`packages/${name}`),
      expect.anything(),
    ]);
  });

  test('depends on ranges, so that an application gets one copy of a package that it uses too', async () => {
    const { dependencies = {} } = await manifestOf(tarballs[name]);
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
    // From a registry, as the READMEs say.
    await using registry = await openRegistry(tarballs);
    await writeFile(join(home, '.npmrc'), registry.npmrc);
    const [, install] = /```sh registry\n(.*?)```/s.exec(await clientReadme())!;
    const env = { ...process.env, npm_config_prefer_offline: 'true' };
    await run('bash', ['-e', '-c', install!], { cwd: home, env });
    const others = ['@firmdesk/contract', '@firmdesk/recurrence'];
    await run('npm', ['install', ...NPM_FLAGS, ...others], { cwd: home });
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

  test('installs at most 1.1 megabytes of our code, in both module formats', async () => {
    const ours = join(home, 'node_modules/@firmdesk');
    const entries = await readdir(ours, { recursive: true, withFileTypes: true });
    const sizes = entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(1_100_000);
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

  test.each(['node16', 'node20'])(
    'type-checks and runs a CommonJS program under `module: %s`',
    async (module) => {
      const root = join(home, module);
      await mkdir(root);
      await writeFile(join(root, 'package.json'), JSON.stringify({ private: true, type: 'commonjs' }));
      await cp(fileURLToPath(new URL('commonjs-consumer.ts', import.meta.url)), join(root, 'index.ts'));
      const lib = ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'];
      const compilerOptions = { strict: true, module, target: 'es2022', lib, types: [] };
      await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }));
      for (const compiler of Object.values(compilers)) {
        const tsc = fileURLToPath(new URL(compiler, import.meta.url));
        const { stdout } = await run(process.execPath, [tsc], { cwd: root }).catch((error) => error);
        expect(stdout).toBe('');
      }
      expect(await readFile(join(root, 'index.js'), 'utf8')).toContain('require("@firmdesk/client")');
      const { stdout } = await run(process.execPath, ['index.js'], { cwd: root });
      expect(stdout.trim().split('\n')).toEqual(['true', 'aborted true', '409', '3']);
    },
    300_000,
  );

  test('installs the client from its tarballs in an empty folder, as its README says', async () => {
    const root = join(folder, 'from-tarballs');
    await mkdir(root);
    const [, commands] = /```sh tarballs\n(.*?)```/s.exec(await clientReadme())!;
    const [pack, install] = commands!.split('\n\n');
    const env = { ...process.env, APP: root, npm_config_prefer_offline: 'true' };
    const shell = (script: string, cwd: string) => run('bash', ['-e', '-c', script], { cwd, env });
    await shell(pack!, fileURLToPath(new URL('../../', import.meta.url)));
    await shell(install!, root);
    const program = `import { createRestClient } from '@firmdesk/client'; console.log(typeof createRestClient);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: root });
    expect(stdout).toBe('function\n');
  }, 300_000);

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
      'own client true',
      'received a note',
      'ticket_message true',
      'resource_not_found 404',
      '3 occurrences',
    ]);
  });
});

function clientReadme(): Promise<string> {
  return readFile(new URL('README.md', folderOf('client')), 'utf8');
}

/** Returns the `package.json` of a tarball. */
async function manifestOf(tarball: string): Promise<Record<string, unknown> & { dependencies?: object }> {
  const { stdout } = await run('tar', ['xzOf', tarball, 'package/package.json']);
  return JSON.parse(stdout);
}

function bufferOf(bytes: Buffer): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
