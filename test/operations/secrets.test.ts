import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeServices, createServices } from '@firmdesk/domain';
import {
  cloneDatabase,
  createTicket,
  createToken,
  createUser,
  createWorkspace,
  startFakeOpenAiServer,
  unique,
} from '@firmdesk/testing';
import { apnsVariables, KEY_FILE, openApnsServer, openSocket, request } from '@firmdesk/testing/gateway';
import { expect, inject, test } from 'vitest';
import { Client, Tally } from '../faults/client.ts';
import { startGateway, stop, temporaryFolder } from '../started-gateway.ts';

test('reads changed keys of Apple and of the model at SIGHUP, without a failed push or reply', async () => {
  await using folder = await temporaryFolder();
  await using database = await cloneDatabase(inject('postgresUrl'));
  await using apns = await openApnsServer();
  await using model = await startFakeOpenAiServer();
  const services = await createServices({ databaseUrl: database.url });
  const firm = await createWorkspace(services);
  const agent = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
  const trader = await createUser(services, { firm, role: 'trader' });
  const ticket = await createTicket(services, { firm, trader, status: 'awaiting_admin' });
  const { text: token } = await createToken(services, { user: agent, workspace: firm.slug, kind: 'device' });
  const apnsKey = join(folder.path, 'apns.p8');
  const modelKey = join(folder.path, 'model.key');
  await writeFile(apnsKey, await readFile(KEY_FILE));
  await writeFile(modelKey, 'sk-first\n');
  const node = startGateway({
    DATABASE_URL: database.url,
    DEMO: '0',
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '0',
    ASSISTANT_BASE_URL: model.baseUrl,
    ASSISTANT_MODEL: 'stand-in',
    ASSISTANT_API_KEY_FILE: modelKey,
    ...apnsVariables(apns),
    APNS_KEY_FILE: apnsKey,
  });
  const url = await node.listening;
  const device = { app: 'admin', environment: 'production', token: 'ab'.repeat(32) };
  expect((await request(url, 'POST /v1/me/devices', { token, body: device })).status).toBe(201);

  let isOver = false;
  let sent = 0;
  const pushing = (async () => {
    while (!isOver) {
      const answer = await request(url, 'POST /trpc/devices.pushTest', { token, body: { json: {} } });
      expect(answer.status).toBeLessThan(300);
      sent++;
    }
  })();
  const ask = async () => {
    const before = model.requests.length;
    const answer = await request(url, `POST /v1/admin/tickets/${ticket}/ai`, {
      token,
      body: { instruction: 'Go on.' },
    });
    expect(answer.status).toBeLessThan(300);
    await expect.poll(() => model.requests.length).toBeGreaterThan(before);
    return model.requests.at(-1)!.authorization;
  };
  const reload = async (times: number) => {
    node.child.kill('SIGHUP');
    const count = () => node.stderr().match(/"part":"assistant".*read.* again/g)?.length ?? 0;
    await expect.poll(count).toBe(times);
  };
  expect(await ask()).toBe('Bearer sk-first');
  await writeFile(modelKey, 'sk-second\n');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(apnsKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await reload(1);
  expect(await ask()).toBe('Bearer sk-second');

  // A file that is no key is reported, and the last key is used.
  await writeFile(apnsKey, 'no key');
  await reload(2);
  await expect.poll(node.stderr).toContain('the key cannot be read again');
  const pushed = sent;
  await expect.poll(() => sent).toBeGreaterThan(pushed);

  isOver = true;
  await pushing;
  const states = async () => {
    const { rows } = await services.pool.query<{ state: string; count: string }>(
      'select state, count(*)::text as count from push_outbox group by 1',
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
  };
  await expect.poll(states).toEqual({ sent });
  await closeServices(services);
  expect(await stop(node)).toBe(0);
});

test('reads the password of the database from a file for each connection, without a failed push under load', async () => {
  await using folder = await temporaryFolder();
  await using database = await cloneDatabase(inject('postgresUrl'));
  await using apns = await openApnsServer();
  const services = await createServices({ databaseUrl: database.url });
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { text: token } = await createToken(services, { user, workspace: firm.slug, kind: 'device' });
  const { pool } = services;
  const role = unique('role').replaceAll('-', '_').toLowerCase();
  await pool.query(`create role "${role}" login superuser password 'first'`);
  const file = join(folder.path, 'password');
  await writeFile(file, 'first\n');
  const address = new URL(database.url);
  address.username = role;
  address.password = '';
  const node = startGateway({
    DATABASE_URL: address.href,
    DATABASE_PASSWORD_FILE: file,
    DEMO: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    ...apnsVariables(apns),
  });
  const url = await node.listening;
  const device = { app: 'admin', environment: 'production', token: 'cd'.repeat(32) };
  expect((await request(url, 'POST /v1/me/devices', { token, body: device })).status).toBe(201);
  const socket = await openSocket(url, { params: { token } });

  const tally = new Tally();
  let isOver = false;
  let pushed = 0;
  const pushing: Promise<void>[] = [];
  const push = async (client: Client) => {
    while (!isOver) {
      await client.call({ target: 'devices.pushTest', token, body: {} });
      pushed++;
    }
  };
  const addPushers = (count: number) => {
    for (let n = 0; n < count; n++) pushing.push(push(new Client([url], 0, () => tally)));
  };
  const morePushes = async () => {
    const before = pushed;
    await expect.poll(() => pushed).toBeGreaterThan(before + 50);
  };
  const connections = async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from pg_stat_activity where usename = $1',
      [role],
    );
    return rows[0]!.count;
  };
  addPushers(2);
  await morePushes();

  // As documented: the file directly after the role. More load opens connections with the new password.
  const opened = await connections();
  await pool.query(`alter role "${role}" password 'second'`);
  await writeFile(file, 'second\n');
  node.child.kill('SIGHUP');
  addPushers(10);
  await expect.poll(connections).toBeGreaterThan(opened);
  await morePushes();
  expect([...tally.errors]).toEqual([]);

  // The file comes late, and idle connections end meanwhile: calls are retried.
  await pool.query(`alter role "${role}" password 'third'`);
  await writeFile(file, '');
  const endIdle = async () => {
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and state = 'idle'`,
      [role],
    );
    return [...tally.errors.keys()];
  };
  await expect.poll(endIdle).toContain('503 unavailable');
  await writeFile(file, 'third\n');
  await morePushes();

  isOver = true;
  await Promise.all(pushing);
  expect(tally.wrong).toEqual([]);
  const states = async () => {
    const { rows } = await pool.query<{ state: string; count: number }>(
      'select state, count(*)::int as count from push_outbox group by 1',
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };
  // A push whose result could not be stored is sent again when its lease of 20 s ends.
  await expect.poll(states, { timeout: 60_000 }).toEqual({ sent: pushed });
  expect(socket.ws.readyState).toBe(socket.ws.OPEN);
  expect(await socket.call('query', 'ping')).toMatchObject({ data: { json: { ok: true } } });
  socket.ws.close();
  expect(await stop(node)).toBe(0);
  await pool.query(`drop owned by "${role}"`);
  await pool.query(`drop role "${role}"`);
  await closeServices(services);
}, 120_000);
