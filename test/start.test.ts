import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DEMO_EMAIL, DEMO_PASSWORD } from '@firmdesk/seed/demo-account';
import { cloneDatabase, createDatabase, unique } from '@firmdesk/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ops, type StartedGateway, startGateway, stop, temporaryFolder } from './started-gateway.ts';

const shell = promisify(execFile);

/** The command that the start prints. */
function curlLines(gateway: StartedGateway): string[] {
  return gateway
    .stdout()
    .split('\n')
    .filter((line) => line.trim().startsWith('curl '));
}

const tokenIn = (gateway: StartedGateway) => /token +(fd_live_\S+)/.exec(gateway.stdout())?.[1];

describe('with the embedded database', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  test('creates the demo data at the first start, and prints a command that works', async () => {
    const gateway = startGateway({ DATA_DIR: folder.path });
    await gateway.listening;
    const lines = curlLines(gateway);
    expect(lines).toHaveLength(2);
    const answers = [];
    for (const line of lines) answers.push(JSON.parse((await shell('bash', ['-c', line])).stdout));
    expect(answers[0].data).toMatchObject({ ok: true, tenant: { slug: 'northgate' } });
    expect(answers[1].data).toMatchObject({ object: 'session', token: expect.stringMatching(/^fd_live_/) });
    expect(await stop(gateway)).toBe(0);
    expect(await isPostgresRunning(folder.path)).toBe(false);
  });

  test('never prints a token that was signed out', async () => {
    const first = startGateway({ DATA_DIR: folder.path });
    const url = await first.listening;
    const signOut = await fetch(`${url}/v1/me/session`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tokenIn(first)}` },
    });
    expect(signOut.status).toBe(200);
    expect(await stop(first)).toBe(0);

    const second = startGateway({ DATA_DIR: folder.path });
    const pinged = await fetch(`${await second.listening}/v1/ping`, {
      headers: { authorization: `Bearer ${tokenIn(second)}` },
    });
    expect((await pinged.json()).data).toMatchObject({ ok: true, tenant: { slug: 'northgate' } });
    expect((await stat(join(folder.path, 'demo.json'))).mode & 0o777).toBe(0o600);
    expect(await stop(second)).toBe(0);

    const third = startGateway({ DATA_DIR: folder.path });
    await third.listening;
    expect(tokenIn(third)).toBe(tokenIn(second));
    expect(await stop(third)).toBe(0);
  });

  test('prints no password that was changed', async () => {
    const setPassword = (password: string) =>
      ops({ DATA_DIR: folder.path }, ['user', 'password', DEMO_EMAIL], password);
    expect((await setPassword('another long one')).code).toBe(0);
    const gateway = startGateway({ DATA_DIR: folder.path });
    await gateway.listening;
    expect(gateway.stdout()).not.toContain(DEMO_PASSWORD);
    expect(curlLines(gateway)).toHaveLength(1);
    expect(await stop(gateway)).toBe(0);
    expect((await setPassword(DEMO_PASSWORD)).code).toBe(0);
  });

  test('shares data and server between two concurrent starts, and stops the server with the last process', async () => {
    const first = startGateway({ DATA_DIR: folder.path });
    const second = startGateway({ DATA_DIR: folder.path });
    const urls = await Promise.all([first.listening, second.listening]);
    for (const gateway of [first, second]) expect(curlLines(gateway)).toHaveLength(2);
    expect(await stop(first)).toBe(0);
    expect((await fetch(`${urls[1]}/readyz`)).status).toBe(200);
    const beside = await ops({ DATA_DIR: folder.path }, ['firm', 'list', '--json']);
    expect(JSON.parse(beside.stdout)).toContainEqual(expect.objectContaining({ slug: 'northgate' }));
    expect(await stop(second)).toBe(0);
    expect(await isPostgresRunning(folder.path)).toBe(false);
  });

  test('recovers after kill -9', async () => {
    const killed = startGateway({ DATA_DIR: folder.path });
    await killed.listening;
    killed.child.kill('SIGKILL');
    await killed.exited;
    const gateway = startGateway({ DATA_DIR: folder.path });
    const url = await gateway.listening;
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await stop(gateway)).toBe(0);
    expect(await isPostgresRunning(folder.path)).toBe(false);
  });

  test('runs a command without a gateway, and leaves no process', async () => {
    const result = await ops({ DATA_DIR: folder.path }, [
      'user',
      'list',
      '--workspace',
      'northgate',
      '--json',
    ]);
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout).length).toBeGreaterThan(5);
    expect(await isPostgresRunning(folder.path)).toBe(false);
  });
});

describe('exits with one clear message and no changes when', () => {
  test('variables are invalid, and names all of them', async () => {
    const gateway = startGateway({
      PORT: 'eighty',
      DATABASE_URL: 'mysql://somewhere',
      APNS_KEY_ID: 'ABC',
      ASSISTANT_MODELL: 'x',
    });
    expect(await gateway.exited).toBe(1);
    const message = gateway.stderr();
    for (const name of ['PORT', 'DATABASE_URL', 'APNS_KEY_FILE', 'ASSISTANT_MODELL is unknown']) {
      expect(message).toContain(name);
    }
    expect(message).not.toMatch(/\n\s+at /);
  });

  test('the port is occupied', async () => {
    await using database = await cloneDatabase(inject('postgresUrl'));
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const gateway = startGateway({ DATABASE_URL: database.url, PORT: String(port) });
    expect(await gateway.exited).toBe(1);
    expect(gateway.stderr()).toMatch(new RegExp(`:${port} is already in use`));
    occupant.close();
  });

  test('the database cannot be reached', async () => {
    const gateway = startGateway({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(await gateway.exited).toBe(1);
    expect(gateway.stderr()).toContain('cannot be reached');
  });

  test.each([
    ['does not answer', createTcpServer()],
    ['is not a PostgreSQL server', createServer()],
  ])('the database %s', async (_, server) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const gateway = startGateway({ DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` });
    expect(await gateway.exited).toBe(1);
    expect(gateway.stderr()).toContain('cannot be reached');
    expect(gateway.stderr()).not.toMatch(/\n\s+at /);
    server.close();
  });

  test('the database is of another application', async () => {
    const url = await createDatabase(inject('postgresUrl'), unique('foreign'));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('create table invoices (id int)');
    const gateway = startGateway({ DATABASE_URL: url });
    expect(await gateway.exited).toBe(1);
    expect(gateway.stderr()).toContain('belongs to another application');
    const { rows } = await client.query(
      `select count(*)::int as count from pg_tables where schemaname = 'public'`,
    );
    expect(rows[0].count).toBe(1);
    await client.end();
  });

  test('the database was migrated by a later version', async () => {
    await using database = await cloneDatabase(inject('postgresUrl'));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`insert into mikro_orm_migrations (name, executed_at) values ('9999-later', now())`);
    await client.query(`update installation set compatible_since = '9999-later'`);
    await client.end();
    const gateway = startGateway({ DATABASE_URL: database.url });
    expect(await gateway.exited).toBe(1);
    expect(gateway.stderr()).toContain('9999-later');
  });
});

test('creates no demo data in a database from DATABASE_URL', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const gateway = startGateway({ DATABASE_URL: database.url });
  await gateway.listening;
  expect(curlLines(gateway)).toEqual([]);
  expect(await stop(gateway)).toBe(0);
});

test('answers a running call before the process ends', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const gateway = startGateway({ DATABASE_URL: database.url });
  const url = await gateway.listening;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // The sign-in waits for the lock of the table.
  await client.query('begin; lock table users in access exclusive mode');
  const answer = fetch(`${url}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ email: 'a@example.com', password: 'x' }),
  });
  await expect
    .poll(async () => {
      const { rows } = await client.query(`select count(*)::int as n from pg_locks where not granted`);
      return rows[0].n;
    })
    .toBe(1);
  gateway.child.kill('SIGTERM');
  await expect
    .poll(() =>
      fetch(`${url}/healthz`).then(
        () => 'up',
        () => 'down',
      ),
    )
    .toBe('down');
  await client.query('rollback');
  await client.end();
  expect((await answer).status).toBe(401);
  expect(await gateway.exited).toBe(0);
});

/** Returns whether the server of a data folder runs, by its pid file. */
async function isPostgresRunning(dataDir: string): Promise<boolean> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return false;
  try {
    process.kill(Number(text.split('\n')[0]), 0);
    return true;
  } catch {
    return false;
  }
}
