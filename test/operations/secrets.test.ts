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
} from '@firmdesk/domain/testing';
import { apnsVariables, KEY_FILE, openApnsServer, request } from '@firmdesk/gateway/testing';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
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

test('reads the password of the database from a file for each connection', async () => {
  await using folder = await temporaryFolder();
  await using database = await cloneDatabase(inject('postgresUrl'));
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const role = unique('role').replaceAll('-', '_').toLowerCase();
  await admin.query(`create role "${role}" login superuser password 'first'`);
  const file = join(folder.path, 'password');
  await writeFile(file, 'first\n');
  const url = new URL(database.url);
  url.username = role;
  url.password = '';
  const node = startGateway({ DATABASE_URL: url.href, DATABASE_PASSWORD_FILE: file }, ['--role', 'gateway']);
  const address = await node.listening;
  const isReady = async () => (await fetch(`${address}/readyz`)).status;
  expect(await isReady()).toBe(200);

  await admin.query(`alter role "${role}" password 'second'`);
  await writeFile(file, 'second\n');
  const { rowCount } = await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
    [role],
  );
  expect(rowCount).toBeGreaterThan(0);
  await expect.poll(isReady).toBe(200);
  expect(await stop(node)).toBe(0);
  await admin.query(`drop owned by "${role}"`);
  await admin.query(`drop role "${role}"`);
  await admin.end();
});
