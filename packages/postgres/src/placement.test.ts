import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRoot, unprivilegedAccount } from './account.ts';
import { openServer, PostgresLaunchError } from './index.ts';
import {
  answerOf,
  killPostmaster,
  query,
  reachableFolder,
  release,
  spawnHolder,
} from './testing/processes.ts';

async function rejectionOf(dataDir: string): Promise<string> {
  const error = await openServer({ dataDir }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof PostgresLaunchError)) throw error ?? new Error('It was not rejected');
  return error.message;
}

/** Creates a folder that looks like a cluster of the server's user. */
function clusterOf(version: string): string {
  const dataDir = join(reachableFolder(), 'postgres');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'PG_VERSION'), `${version}\n`);
  if (isRoot()) chownSync(dataDir, unprivilegedAccount().uid, unprivilegedAccount().gid);
  return dataDir;
}

test('rejects a cluster of another major version without changing it', async () => {
  const dataDir = clusterOf('15');
  expect(await rejectionOf(dataDir)).toMatch(
    /was created by PostgreSQL 15, which PostgreSQL 18 cannot open.*pg_dump/,
  );
  expect(readdirSync(dataDir)).toEqual(['PG_VERSION']);
});

test('rejects a cluster of another installation', async () => {
  expect(await rejectionOf(clusterOf('18'))).toMatch(/was not created by Firmdesk/);
});

test('rejects a folder with other contents without changing it', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'letter.txt'), 'Dear trader');
  expect(await rejectionOf(dataDir)).toMatch(/is not empty and contains no database/);
  expect(readdirSync(dataDir)).toEqual(['letter.txt']);
});

test('uses an empty folder', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  mkdirSync(dataDir);
  const server = await openServer({ dataDir });
  await server.release();
  expect(existsSync(join(dataDir, 'PG_VERSION'))).toBe(true);
});

test('rejects a folder that is not writable', async () => {
  const file = join(reachableFolder(), 'file');
  writeFileSync(file, '');
  expect(await rejectionOf(join(file, 'postgres'))).toMatch(/is not writable. Set DATA_DIR/);
});

test('reports the end of the log of a server that cannot start', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  const server = await openServer({ dataDir });
  await server.release();
  rmSync(join(dataDir, 'global', 'pg_control'));
  expect(await rejectionOf(dataDir)).toMatch(/could not be started in .*\n[\s\S]*pg_control/);
});

test.skipIf(isRoot())('rejects a folder that the user may not write to', async () => {
  const folder = reachableFolder();
  chmodSync(folder, 0o500);
  expect(await rejectionOf(join(folder, 'postgres'))).toMatch(/is not writable. Set DATA_DIR/);
});

test.runIf(isRoot())('rejects a cluster that belongs to root', async () => {
  const dataDir = clusterOf('18');
  chownSync(dataDir, 0, 0);
  expect(await rejectionOf(dataDir)).toMatch(/belongs to root/);
});

test.runIf(isRoot())('runs an existing cluster as its owner', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  const server = await openServer({ dataDir });
  await server.release();
  const { uid } = statSync(dataDir);
  expect(uid).toBe(unprivilegedAccount().uid);
  const other = 64_321;
  const paths = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(dataDir, name),
  );
  for (const path of [dataDir, ...paths]) chownSync(path, other, other);
  const again = await openServer({ dataDir });
  expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(statSync(join(dataDir, 'postmaster.pid')).uid).toBe(other);
  await again.release();
});

test.runIf(isRoot())(
  'stores the cluster in /var/lib/firmdesk if only root can enter the folder',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'firmdesk-home-'));
    const dataDir = join(home, 'clone', '.data', 'postgres');
    let fallback = '';
    onTestFinished(async () => {
      if (fallback) await killPostmaster(fallback);
      for (const path of [home, fallback]) if (path) rmSync(path, { recursive: true, force: true });
    });
    const server = await openServer({ dataDir });
    fallback =
      /the database is stored in (\/var\/lib\/firmdesk\/[\w.-]+-[0-9a-f]{8})/.exec(server.note ?? '')?.[1] ??
      '';
    expect(server.note).toMatch(
      /^As root: PostgreSQL runs as user .*, which cannot access .*\.data\/postgres, so .*\.$/,
    );
    expect(existsSync(join(fallback, 'PG_VERSION'))).toBe(true);
    expect(readdirSync(join(home, 'clone', '.data'))).toEqual([]);
    expect(statSync(home).mode & 0o777).toBe(0o700);

    const other = spawnHolder(dataDir);
    expect(await answerOf(other)).toEqual({
      url: server.url,
      socketUrl: server.socketUrl,
      started: false,
      note: server.note,
    });
    await release(other);
    await query(server.url, 'create table kept as select 1 as one');
    await server.release();

    // The database stays where it is, also if the folder can be reached now.
    chmodSync(home, 0o755);
    const again = await openServer({ dataDir });
    expect(await query(again.url, 'select one from kept')).toEqual([{ one: 1 }]);
    await again.release();
  },
);
