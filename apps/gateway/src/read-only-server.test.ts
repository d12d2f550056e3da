import { openTemporaryReplica, openTemporaryServer, primarySettings } from '@firmdesk/postgres';
import {
  administer,
  createTemplate,
  createToken,
  createUser,
  createWorkspace,
  openTcpProxy,
  type TcpProxy,
} from '@firmdesk/testing';
import { EFFECTS, openTestGateway, type TestGateway, testRouter } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

type Server = Awaited<ReturnType<typeof openTemporaryServer>>;

let primary: Server;
let replica: Server;
let home: TestGateway;
let proxy: TcpProxy;
/** A gateway whose address of the database leads to the primary, or to its standby. */
let node: Awaited<ReturnType<TestGateway['secondNode']>>;
let token: string;
beforeAll(async () => {
  primary = await openTemporaryServer({ settings: primarySettings });
  await createTemplate(primary.url);
  replica = await openTemporaryReplica(primary);
  home = await openTestGateway(primary.url, { router: testRouter });
  await home.services.pool.query(EFFECTS);
  proxy = await openTcpProxy(home.databaseUrl);
  node = await home.secondNode(proxy.url);
  const firm = await createWorkspace(home.services);
  const user = await createUser(home.services, { firm });
  token = (await createToken(home.services, { user, workspace: firm.slug })).text;
  // The standby has the firm and its token.
  const { rows } = await home.services.pool.query('select pg_current_wal_lsn()::text as lsn');
  const replayed = 'select replay_lsn >= $1::pg_lsn as is_current from pg_stat_replication';
  await vi.waitFor(
    async () =>
      expect((await home.services.pool.query(replayed, [rows[0].lsn])).rows).toEqual([{ is_current: true }]),
    30_000,
  );
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await replica?.release();
  await primary?.release();
});

const admin = (statement: string) => administer(primary.url, statement);
const write = () => node.request('POST /v1/test/effects', { token, body: { value: 'x' } });
const onServer = (url: string) => {
  const target = new URL(home.databaseUrl);
  target.port = new URL(url).port;
  return target.href;
};

/** Writes until the answer has the status, and returns the statuses of all answers. */
async function writeUntil(status: number): Promise<number[]> {
  const statuses: number[] = [];
  await expect
    .poll(
      async () => {
        const answer = await write();
        statuses.push(answer.status);
        if (answer.status === 503) expect(answer.headers.get('retry-after')).toBe('1');
        return answer.status;
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(status);
  return statuses;
}

test('answers 503 with Retry-After while the address leads to a standby, is not ready, and writes again soon after', async () => {
  await writeUntil(201);
  expect((await node.request('GET /readyz')).status).toBe(200);
  proxy.redirectTo(onServer(replica.url));
  proxy.restore();
  const during = await writeUntil(503);
  // Also with connections that were opened meanwhile. A search would find old rows.
  for (let call = 0; call < 10; call++) during.push((await write()).status);
  expect(new Set(during)).toEqual(new Set([503]));
  const ready = await node.request('GET /readyz');
  expect([ready.status, ready.body.ok]).toEqual([503, false]);
  await expect(node.services.searchPool.query('select')).rejects.toMatchObject({ code: '25006' });

  proxy.redirectTo(home.databaseUrl);
  const back = performance.now();
  expect(new Set(await writeUntil(201))).toEqual(new Set([201]));
  expect(performance.now() - back).toBeLessThan(5_000);
  await expect.poll(async () => (await node.request('GET /readyz')).status).toBe(200);
});

test('is not ready, and answers 503, while the server refuses writes', async () => {
  await writeUntil(201);
  await admin('alter system set default_transaction_read_only = on');
  await admin('select pg_reload_conf()');
  const statuses = await writeUntil(503);
  expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
  await expect.poll(async () => (await node.request('GET /readyz')).status).toBe(503);
  await admin(`alter system reset default_transaction_read_only`);
  await admin('select pg_reload_conf()');
  await writeUntil(201);
  await expect.poll(async () => (await node.request('GET /readyz')).status).toBe(200);
});

test('answers 503 while the server rejects the password, and works again with the right one', async () => {
  const url = new URL(home.databaseUrl);
  await admin(`create role desk login superuser password 'first'`);
  url.username = 'desk';
  url.password = 'first';
  const other = await home.secondNode(url.href);
  const writeThere = () => other.request('POST /v1/test/effects', { token, body: { value: 'x' } });
  expect((await writeThere()).status).toBe(201);
  await admin(`alter role desk password 'second'`);
  await admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'desk'`);
  await expect.poll(async () => (await writeThere()).status).toBe(503);
  const refused = await writeThere();
  expect([refused.body.error.code, refused.headers.get('retry-after')]).toEqual(['unavailable', '1']);
  await admin(`alter role desk password 'first'`);
  await expect.poll(async () => (await writeThere()).status).toBe(201);
});
