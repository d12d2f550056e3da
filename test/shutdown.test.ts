import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cloneDatabase, openTcpProxy } from '@firmdesk/testing';
import { openSilentClient, silentClients } from '@firmdesk/testing/gateway';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { MAIN, type StartedGateway, startGateway, temporaryFolder } from './started-gateway.ts';

/** A process that hangs exits 25 s after SIGTERM with code 1. */
const SOON_MS = 15_000;

/** The key of the lock that a process holds while it sets up the database. */
const SETUP_LOCK = 4_001_734;

/** Returns the exit code, or `still running` after the limit. */
async function exitSoon(gateway: StartedGateway): Promise<number | null | 'still running'> {
  const late = AbortSignal.timeout(SOON_MS);
  return Promise.race([gateway.exited, once(late, 'abort').then(() => 'still running' as const)]);
}

test('ends the process and its PostgreSQL despite silent clients of every kind', async () => {
  await using folder = await temporaryFolder();
  const gateway = startGateway({ DATA_DIR: folder.path });
  const url = await gateway.listening;
  const clients = await Promise.all(Object.values(silentClients).map((text) => openSilentClient(url, text)));
  await fetch(`${url}/healthz`);
  const postmaster = await postmasterOf(folder.path);
  gateway.child.kill('SIGTERM');
  expect(await exitSoon(gateway)).toBe(0);
  expect(isAlive(postmaster)).toBe(false);
  for (const client of clients) client.destroy();
});

test('ends within DRAIN_SECONDS + 5 s with silent clients and a silent database', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  await using proxy = await openTcpProxy(database.url);
  const gateway = startGateway({ DATABASE_URL: proxy.url, DRAIN_SECONDS: '1' });
  const url = await gateway.listening;
  const clients = await Promise.all(Object.values(silentClients).map((text) => openSilentClient(url, text)));
  const signIn = () =>
    fetch(`${url}/v1/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
      body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' }),
    }).catch(() => {});
  await signIn();
  proxy.silence();
  const calls = [signIn()];
  gateway.child.kill('SIGTERM');
  const signalled = performance.now();
  await setTimeout(900);
  // This call waits for a connection to the database when the drain ends.
  calls.push(signIn());
  expect(await exitSoon(gateway)).toBe(0);
  expect(performance.now() - signalled).toBeLessThan(6_000);
  await Promise.all(calls);
  for (const client of clients) client.destroy();
});

test('drains the workers together with the gateway, and ends the drain at a second signal', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const workerConnections = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where application_name like 'firmdesk worker%' and datname = current_database()`,
    );
    return rows[0]!.count;
  };
  const gateway = startGateway({ DATABASE_URL: database.url, DRAIN_SECONDS: '20' });
  const url = await gateway.listening;
  await expect.poll(workerConnections).toBeGreaterThan(0);
  const idle = await openSilentClient(url, silentClients['stays idle after an answer']);
  await fetch(`${url}/healthz`);
  gateway.child.kill('SIGTERM');
  await expect.poll(workerConnections).toBe(0);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  gateway.child.kill('SIGTERM');
  expect(await exitSoon(gateway)).toBe(0);
  idle.destroy();
  await client.end();
});

test('accepts calls for DRAIN_SECONDS, also if no connection is open at the signal', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const gateway = startGateway({ DATABASE_URL: database.url, DRAIN_SECONDS: '20', LOG_LEVEL: 'info' });
  const url = await gateway.listening;
  gateway.child.kill('SIGTERM');
  await expect.poll(() => gateway.stderr()).toContain('"msg":"draining"');
  for (let call = 0; call < 3; call++) {
    const answer = await fetch(`${url}/v1/ping`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'close']);
  }
  gateway.child.kill('SIGTERM');
  expect(await exitSoon(gateway)).toBe(0);
});

test('stops the embedded PostgreSQL of a process that is killed', async () => {
  await using folder = await temporaryFolder();
  const gateway = startGateway({ DATA_DIR: folder.path, DEMO: '0' });
  await gateway.listening;
  const postmaster = await postmasterOf(folder.path);
  gateway.child.kill('SIGKILL');
  await gateway.exited;
  await expect.poll(() => isAlive(postmaster)).toBe(false);
  // It was stopped in order: the next start needs no recovery.
  await expect.poll(() => existsSync(join(folder.path, 'postgres', 'postmaster.pid'))).toBe(false);
});

describe.skipIf(!canUnshare())('as process 1 of a container', () => {
  /** Starts the gateway as process 1 of a new process namespace, and returns the pid by which this process sees it. */
  async function startAsFirst(databaseUrl: string) {
    const child = spawn('unshare', ['--pid', '--fork', '--kill-child', process.execPath, MAIN], {
      env: { PATH: process.env['PATH'] ?? '', PORT: '0', DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const children = (pid: number) =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    await expect.poll(() => children(child.pid!)).toHaveLength(1);
    const pid = children(child.pid!)[0]!;
    return { pid, children, output: () => output, exited: once(child, 'exit') };
  }

  test('drains at SIGTERM, and has no child processes', async () => {
    await using database = await cloneDatabase(inject('postgresUrl'));
    const first = await startAsFirst(database.url);
    await expect.poll(first.output, { timeout: 90_000 }).toContain('listens on');
    await expect.poll(first.output).toContain('"pid":1,');
    expect(first.children(first.pid)).toEqual([]);
    process.kill(first.pid, 'SIGTERM');
    expect(await first.exited).toEqual([0, null]);
    expect(first.output()).toContain('"msg":"draining"');
  });

  test('ends at a SIGTERM during its start', async () => {
    await using database = await cloneDatabase(inject('postgresUrl'));
    const first = await startAsFirst(database.url);
    // The kernel drops a signal that process 1 does not handle, and Node handles none before it runs the first module.
    const signalling = setInterval(() => isAlive(first.pid) && process.kill(first.pid, 'SIGTERM'), 20);
    first.exited.finally(() => clearInterval(signalling));
    const [code] = await first.exited;
    expect(first.output()).not.toContain('listening');
    // The signals that arrive while the modules are loading are handled afterwards: by the entry point, or by the start.
    expect([1, 143]).toContain(code);
  });
});

/** Returns whether this process may create process namespaces; if not, says what is skipped. */
function canUnshare(): boolean {
  const { status } = spawnSync('unshare', ['--pid', '--fork', 'true']);
  if (status !== 0) console.warn('Skipped the tests of process 1: `unshare --pid` is not possible here.');
  return status === 0;
}

test('stops the embedded PostgreSQL at two simultaneous signals', async () => {
  await using folder = await temporaryFolder();
  const gateway = startGateway({ DATA_DIR: folder.path, DEMO: '0' });
  await gateway.listening;
  const postmaster = await postmasterOf(folder.path);
  gateway.child.kill('SIGINT');
  gateway.child.kill('SIGTERM');
  expect(await exitSoon(gateway)).toBe(0);
  expect(isAlive(postmaster)).toBe(false);
});

test('ends a start that waits for another process at the second signal', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
  const gateway = startGateway({ DATABASE_URL: database.url });
  await expect
    .poll(async () => {
      const { rows } = await other.query(
        `select from pg_stat_activity where application_name = 'firmdesk setup lock' and datname = current_database()`,
      );
      return rows.length;
    })
    .toBe(1);
  gateway.child.kill('SIGTERM');
  gateway.child.kill('SIGINT');
  expect(await exitSoon(gateway)).toBe(1);
  expect(gateway.stderr()).toContain('The start was cancelled');
  await other.end();
});

async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
