import { closeServices, createServices, migrate, withSetupLock } from '@firmdesk/domain';
import { openTemporaryServer } from '@firmdesk/postgres';
import { administer, createMailbox, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { expect, test } from 'vitest';
import { type StartedGateway, startGateway } from './started-gateway.ts';

const PASSWORD = 'firmdesk-test';

/** Opens a server with few connections, and an account that may not use the reserved ones. */
async function openSmallServer(maxConnections: number) {
  const server = await openTemporaryServer({ settings: { max_connections: `${maxConnections}` } });
  await administer(server.url, `create role desk login password '${PASSWORD}'`);
  await administer(server.url, 'create database desk owner desk');
  await administer(server.url.replace(/\/[^/]*$/, '/desk'), 'alter schema public owner to desk');
  const url = Object.assign(new URL(server.url), { username: 'desk', password: PASSWORD, pathname: '/desk' });
  return { admin: server.url, url: url.href, [Symbol.asyncDispose]: () => server.release() };
}

interface Author {
  token: string;
  mailbox: number;
}

async function createAuthor(url: string): Promise<Author> {
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 2 } });
  await withSetupLock(url, () => migrate(services));
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { id } = await createMailbox(services, { firm, writes: [user] });
  const { text } = await createToken(services, { user, workspace: firm.slug });
  await closeServices(services);
  return { token: text, mailbox: id };
}

/** Sends reads and writes to all processes until the time is over. Returns how often each status was answered. */
async function load(
  urls: string[],
  { token, mailbox }: Author,
  seconds: number,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const end = performance.now() + seconds * 1_000;
  let sent = 0;
  const call = async (url: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    };
    const response = await (sent++ % 2 === 0
      ? fetch(`${url}/v1/ping`, { headers })
      : fetch(`${url}/v1/me/mail/drafts`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ address_id: mailbox, to: [], subject: 'Payout', body: '' }),
        }));
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    if (response.status === 503) expect(response.headers.get('retry-after')).toBe('1');
  };
  const caller = async (url: string) => {
    while (performance.now() < end) await call(url);
  };
  await Promise.all(urls.flatMap((url) => Array.from({ length: 4 }, () => caller(url))));
  return statuses;
}

async function mostConnections(admin: string): Promise<number> {
  const { rows } = await administer(
    admin,
    `select count(*)::integer as n from pg_stat_activity where usename = 'desk'`,
  );
  return rows[0].n;
}

/** Starts four processes at a time: each needs a core for a second, and gives up when the server takes 5 s to accept it. */
async function startAll(env: Record<string, string>, roles: string[][]): Promise<StartedGateway[]> {
  const started: StartedGateway[] = [];
  for (let next = 0; next < roles.length; next += 4) {
    const group = roles
      .slice(next, next + 4)
      .map((args) => startGateway({ DEMO: '0', RATE_LIMIT_PER_MINUTE: '0', ...env }, args));
    started.push(...group);
    await Promise.all(group.map(({ listening }) => listening));
  }
  return started;
}

async function stopAll(started: StartedGateway[]): Promise<void> {
  for (const { child } of started) child.kill('SIGTERM');
  for (const { exited } of started) await exited;
}

/** Starting so many processes takes long on a busy machine. */
const TIMEOUT_MS = 240_000;
const slots = /remaining connection slots|too many (connections|clients)|53300/;

test(
  'six processes work by default on a server with 60 connections',
  async () => {
    await using server = await openSmallServer(60);
    const author = await createAuthor(server.url);
    const started = await startAll({ DATABASE_URL: server.url }, Array(6).fill([]));
    try {
      const urls = await Promise.all(started.map(({ listening }) => listening));
      const statuses = await load(urls, author, 4);
      expect(Object.keys(statuses).map(Number).sort()).toEqual([200]);
      expect(await mostConnections(server.admin)).toBeLessThanOrEqual(57);
      expect(started.map(({ stderr }) => stderr()).join('')).not.toMatch(slots);
    } finally {
      await stopAll(started);
    }
  },
  TIMEOUT_MS,
);

test(
  'twenty processes work with the documented limit on a server with 100 connections',
  async () => {
    await using server = await openSmallServer(100);
    const author = await createAuthor(server.url);
    const env = { DATABASE_URL: server.url };
    const gateways = await startAll(
      { ...env, DATABASE_POOL_MAX: '4' },
      Array(18).fill(['--role', 'gateway']),
    );
    const workers = await startAll({ ...env, DATABASE_POOL_MAX: '10' }, Array(2).fill(['--role', 'worker']));
    const started = [...gateways, ...workers];
    try {
      const urls = await Promise.all(gateways.map(({ listening }) => listening));
      const statuses = await load(urls, author, 4);
      expect(statuses[200]).toBeGreaterThan(0);
      // On a busy machine a call can wait too long for one of two connections.
      expect(Object.keys(statuses).filter((status) => !['200', '503'].includes(status))).toEqual([]);
      expect(await mostConnections(server.admin)).toBeLessThanOrEqual(97);
      expect(started.map(({ stderr }) => stderr()).join('')).not.toMatch(slots);
    } finally {
      await stopAll(started);
    }
  },
  TIMEOUT_MS,
);

test('a process waits while the server has no free connection, then answers 503 with Retry-After', async () => {
  await using server = await openSmallServer(30);
  const author = await createAuthor(server.url);
  const [gateway] = await startAll({ DATABASE_URL: server.url, DATABASE_POOL_MAX: '4' }, [
    ['--role', 'gateway'],
  ]);
  try {
    const url = await gateway!.listening;
    const call = () => fetch(`${url}/v1/ping`, { headers: { authorization: `Bearer ${author.token}` } });
    expect((await call()).status).toBe(200);
    await administer(server.admin, 'alter role desk connection limit 0');
    await administer(
      server.admin,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'desk'`,
    );
    const refused = await call();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    const waiting = call();
    await administer(server.admin, 'alter role desk connection limit -1');
    expect((await waiting).status).toBe(200);
  } finally {
    await stopAll([gateway!]);
  }
});
