import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openServer, openTemporaryServer } from './index.ts';
import { isAlive, temporaryName } from './processes.ts';
import {
  answerOf,
  crash,
  kill,
  postmasterOf,
  query,
  reachableFolder,
  spawnForeign,
  spawnHolder,
  until,
  watchesOf,
  writeAsServerUser,
} from './testing/processes.ts';

/** Creates a cluster with data whose owner and server were killed, with the lock file of the dead server. */
async function crashedCluster(): Promise<{ folder: string; dataDir: string; pidFile: string }> {
  const folder = reachableFolder();
  const dataDir = join(folder, 'postgres');
  const owner = spawnHolder(dataDir);
  const { url } = await answerOf(owner);
  await query(url, 'create table kept as select 1 as one');
  await crash(owner, dataDir);
  const pidFile = join(dataDir, 'postmaster.pid');
  expect(existsSync(pidFile)).toBe(true);
  return { folder, dataDir, pidFile };
}

async function expectRecovery(dataDir: string): Promise<void> {
  const server = await openServer({ dataDir });
  expect(server.started).toBe(true);
  expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }]);
  await server.release();
}

test('starts a killed server again with all committed data', async () => {
  const { dataDir } = await crashedCluster();
  await expectRecovery(dataDir);
});

test('starts despite a lock file with a process id that another program has now', async () => {
  const { dataDir, pidFile } = await crashedCluster();
  const foreign = spawnForeign();
  const lines = readFileSync(pidFile, 'utf8').split('\n');
  writeAsServerUser(pidFile, [`${foreign}`, ...lines.slice(1)].join('\n'));
  await expectRecovery(dataDir);
  expect(isAlive(foreign)).toBe(true);
});

test('removes an empty lock file that a crash has left', async () => {
  const { dataDir, pidFile } = await crashedCluster();
  writeAsServerUser(pidFile, '');
  utimesSync(pidFile, new Date(0), new Date(0));
  await expectRecovery(dataDir);
});

test('waits for processes of a killed server, and ends them if they continue', async () => {
  const folder = reachableFolder();
  const dataDir = join(folder, 'postgres');
  const owner = spawnHolder(dataDir);
  const { url } = await answerOf(owner);
  await query(url, 'create table kept as select 1 as one');
  const busy = query(url, 'select count(*) from generate_series(1, 1e12::bigint)').catch(() => 'broken');
  await until(async () => {
    const rows = await query(url, `select 1 from pg_stat_activity where query like 'select count%'`);
    return rows.length > 0;
  }, 'the long query runs');
  await crash(owner, dataDir);
  await expectRecovery(dataDir);
  expect(await busy).toBe('broken');
});

test('removes temporary folders of dead processes, but not of running ones', async () => {
  const folder = reachableFolder();
  const dead = spawn('true');
  const deadPid = dead.pid!;
  await once(dead, 'exit');
  const alive = temporaryName('.postgres.init-');
  const reusedPid = `.postgres.init-${process.pid}-1-00000000`;
  for (const name of [`.postgres.init-${deadPid}-1-00000000`, reusedPid, alive]) {
    mkdirSync(join(folder, name, 'data'), { recursive: true });
  }
  const server = await openServer({ dataDir: join(folder, 'postgres') });
  await server.release();
  const remaining = process.platform === 'linux' ? [alive] : [alive, reusedPid];
  expect(readdirSync(folder).sort()).toEqual([...remaining, 'postgres'].sort());
});

test('deletes a temporary server on release, and after its owner was killed', async () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('firmdesk-postgres-'));
  const owner = spawnHolder('temporary');
  await answerOf(owner);
  const dir = join(tmpdir(), folders().find((name) => name.includes(`-${owner.pid}-`))!);
  const pid = postmasterOf(dir)!;
  await kill(owner);
  await until(() => !isAlive(pid) && !existsSync(dir), 'the server has ended and is deleted');

  const mine = await openTemporaryServer();
  expect(await query(mine.url, `select current_setting('fsync') as fsync`)).toEqual([{ fsync: 'off' }]);
  await mine.release();
  expect(folders().filter((name) => name.includes(`-${process.pid}-`))).toEqual([]);
});

test('deletes what a temporary server without a watch has left', async () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('firmdesk-postgres-'));
  const owner = spawnHolder('temporary');
  await answerOf(owner);
  const dir = join(tmpdir(), folders().find((name) => name.includes(`-${owner.pid}-`))!);
  const pid = postmasterOf(dir)!;
  for (const watch of watchesOf(dir)) process.kill(watch, 'SIGKILL');
  await kill(owner);
  expect(isAlive(pid)).toBe(true);
  const mine = await openTemporaryServer();
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(dir)).toBe(false);
  await mine.release();
});
