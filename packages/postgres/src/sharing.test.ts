import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from './index.ts';
import { isAlive } from './processes.ts';
import {
  answerOf,
  kill,
  killPostmaster,
  postmasterOf,
  query,
  reachableFolder,
  release,
  spawnHolder,
  until,
  watchesOf,
} from './testing/processes.ts';

test('creates the database on first use, stops the server on release, and finds the data later', async () => {
  const dataDir = join(reachableFolder(), 'new', 'postgres');
  const first = await openServer({ dataDir });
  onTestFinished(() => first.release());
  expect(first.started).toBe(true);
  expect(first.note).toBeUndefined();
  const [facts] = await query(
    first.url,
    `select current_setting('server_encoding') as encoding, datlocprovider as provider, datlocale as locale,
            lower('ÄÑÖ') as lower, current_setting('fsync') as fsync from pg_database where datname = 'postgres'`,
  );
  expect(facts).toEqual({ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8', lower: 'äñö', fsync: 'on' });
  await query(first.url, 'create extension pg_trgm');
  expect(
    await query(first.url, `select similarity('Größe', 'GRÖSSE') > similarity('Größe', 'GRSSE') as letters`),
  ).toEqual([{ letters: true }]);
  expect(statSync(join(dataDir, 'superuser-password')).mode & 0o777).toBe(0o600);

  const pid = postmasterOf(dataDir)!;
  await Promise.all([first.release(), first.release()]);
  expect(isAlive(pid)).toBe(false);
  expect(postmasterOf(dataDir)).toBeUndefined();

  const second = await openServer({ dataDir });
  expect(second.started).toBe(true);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, `select extname from pg_extension where extname = 'pg_trgm'`)).toHaveLength(
    1,
  );
  await second.release();
});

test('shares the running server with a second process, and stops it with the last release', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  const mine = await openServer({ dataDir });
  const other = spawnHolder(dataDir);
  expect(await answerOf(other)).toEqual({ url: mine.url, socketUrl: mine.socketUrl, started: false });
  const pid = postmasterOf(dataDir)!;

  await mine.release();
  expect(isAlive(pid)).toBe(true);
  expect(await query(mine.url, 'select 1 as one')).toEqual([{ one: 1 }]);

  await release(other);
  expect(isAlive(pid)).toBe(false);
});

test('creates one cluster and one server for processes that start concurrently on an empty folder', async () => {
  const folder = reachableFolder();
  const dataDir = join(folder, 'postgres');
  const holders = [spawnHolder(dataDir), spawnHolder(dataDir), spawnHolder(dataDir)];
  const answers = await Promise.all(holders.map(answerOf));
  expect(new Set(answers.map(({ url }) => url)).size).toBe(1);
  expect(answers.filter(({ started }) => started)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(['postgres']);
  const pid = postmasterOf(dataDir)!;
  await Promise.all(holders.map(release));
  expect(isAlive(pid)).toBe(false);
});

test('gives a working server to a process that starts while the last user leaves', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  let server = await openServer({ dataDir });
  for (let round = 0; round < 8; round++) {
    const [, next] = await Promise.all([server.release(), openServer({ dataDir })]);
    expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    server = next;
  }
  await server.release();
  expect(postmasterOf(dataDir)).toBeUndefined();
});

test('keeps the server running on SIGTERM to the process group until its user has drained', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  const holder = spawnHolder(dataDir);
  await answerOf(holder);
  const pid = postmasterOf(dataDir)!;
  process.kill(-holder.pid!, 'SIGTERM');
  expect(await answerOf(holder)).toMatchObject({ drained: 42, released: true });
  expect(await once(holder, 'exit')).toEqual([0, null]);
  expect(isAlive(pid)).toBe(false);
});

test('does not keep a process alive by an open server, and stops the server after that process', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  const idle = spawnHolder(dataDir, 'idle');
  const ended = once(idle, 'exit');
  await answerOf(idle);
  const pid = postmasterOf(dataDir)!;
  expect(await ended).toEqual([0, null]);
  await until(() => !isAlive(pid), 'the server has ended');
  expect(postmasterOf(dataDir)).toBeUndefined();
});

test('stops the server of a process that was killed', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  const owner = spawnHolder(dataDir);
  const { url } = await answerOf(owner);
  await query(url, 'create table kept as select 1 as one');
  const pid = postmasterOf(dataDir)!;
  await kill(owner);
  await until(() => !isAlive(pid), 'the server has ended');
  // It was stopped in order: there is no lock file to recover from.
  expect(postmasterOf(dataDir)).toBeUndefined();
  const next = await openServer({ dataDir });
  expect(await query(next.url, 'select one from kept')).toEqual([{ one: 1 }]);
  await next.release();
});

test('keeps the server of a killed process while another process uses it', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  const owner = spawnHolder(dataDir);
  await answerOf(owner);
  const other = spawnHolder(dataDir);
  const { url } = await answerOf(other);
  const pid = postmasterOf(dataDir)!;
  const watches = () => watchesOf(dataDir);
  expect(watches()).toHaveLength(2);
  await kill(owner);
  // The watch of the killed process has looked, and has ended.
  await until(() => watches().length === 1, 'the watch has ended');
  expect(isAlive(pid)).toBe(true);
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await kill(other);
  await until(() => !isAlive(pid), 'the server has ended');
});

test('starts on another port if the last one is in use', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  const first = await openServer({ dataDir });
  await first.release();
  const occupant = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
  await once(occupant, 'listening');
  const second = await openServer({ dataDir });
  expect(second.url).not.toBe(first.url);
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.release();
  occupant.close();
});

test('restarts a killed server on its port while a process uses it', async () => {
  const dataDir = join(reachableFolder(), 'postgres');
  const messages: string[] = [];
  const server = await openServer({ dataDir, log: (message) => messages.push(message) });
  const { url } = server;
  await query(url, 'create table kept as select 1 as one');
  await killPostmaster(dataDir);
  const rows = async () => await query(url, 'select one from kept').catch(() => undefined);
  await expect.poll(rows, { timeout: 20_000 }).toEqual([{ one: 1 }]);
  expect(server.url).toBe(url);
  expect(await query(server.socketUrl, 'select one from kept')).toEqual([{ one: 1 }]);
  expect(messages).toContain('The session with PostgreSQL was lost; reconnecting');
  await server.release();
  expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false);
});
