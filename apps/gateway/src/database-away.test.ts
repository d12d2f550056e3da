import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken, createUser, createWorkspace, openTcpProxy, type TcpProxy } from '@firmdesk/testing';
import { EFFECTS, openTestGateway, type TestGateway, testRouter } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';

let home: TestGateway;
let proxy: TcpProxy;
/** A gateway whose connection to the database can be cut. */
let node: Awaited<ReturnType<TestGateway['secondNode']>>;
let token: string;
/** Of other accounts: each has a share of the connections. */
let other: string;
let third: string;
beforeAll(async () => {
  home = await openTestGateway(inject('postgresUrl'), { router: testRouter });
  await home.services.pool.query(EFFECTS);
  proxy = await openTcpProxy(home.databaseUrl);
  node = await home.secondNode(proxy.url);
  const firm = await createWorkspace(home.services);
  const tokenOf = async () =>
    createToken(home.services, {
      user: await createUser(home.services, { firm }),
      workspace: firm.slug,
    });
  token = (await tokenOf()).text;
  other = (await tokenOf()).text;
  third = (await tokenOf()).text;
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

const write = () => node.request('POST /v1/test/effects', { token, body: { value: 'x' } });
const works = async () => expect.poll(async () => (await write()).status, { timeout: 20_000 }).toBe(201);

async function sleepers(): Promise<number[]> {
  const { rows } = await home.services.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where query like 'select pg_sleep%' and state = 'active' and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
}

describe('without a database', () => {
  test.each(['cut', 'stall'] as const)(
    '%s: returns 503 with Retry-After in bounded time, and recovers',
    async (how) => {
      await works();
      proxy[how]();
      const [typed, ...answers] = await Promise.all([
        node.rpc('effect', { token, body: { value: 'x' } }),
        write(),
        write(),
      ]);
      for (const answer of answers) {
        expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
        expect(answer.headers.get('retry-after')).toBe('1');
        expect(answer.text).not.toMatch(/ECONN|postgres|stack/);
      }
      expect([typed.status, typed.code]).toEqual([503, 'unavailable']);
      expect(typed.headers.get('retry-after')).toBe('1');
      expect((await node.request('GET /healthz')).status).toBe(200);
      const ready = await node.request('GET /readyz');
      expect(ready.status).toBe(503);
      expect(ready.body.ok).toBe(false);
      expect(ready.body.checks.database).not.toBe('ok');
      proxy.restore();
      await works();
      expect((await node.request('GET /readyz')).status).toBe(200);
    },
  );

  test('two accounts with many slow calls leave connections to a third', async () => {
    await works();
    const slow = Array.from({ length: 12 }, (_, n) =>
      node.rpc('slow', { token: n % 2 ? token : other, body: { seconds: 2 } }),
    );
    await expect.poll(async () => (await sleepers()).length).toBeGreaterThanOrEqual(8);
    const before = await sleepers();
    const { status } = await node.request('POST /v1/test/effects', { token: third, body: { value: 'x' } });
    expect(status).toBe(201);
    // It did not wait for one of them.
    expect(await sleepers()).toEqual(expect.arrayContaining(before));
    await Promise.all(slow);
  });

  test('leaks no connection when 32 transactions are cut off, in a pool of 10', async () => {
    await works();
    for (let round = 0; round < 4; round++) {
      const calls = Array.from({ length: 8 }, (_, n) =>
        node.rpc('slow', { token: n % 2 ? token : other, body: { seconds: 5 } }),
      );
      await expect.poll(sleepers).toHaveLength(8);
      await home.services.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
        await sleepers(),
      ]);
      for (const { code } of await Promise.all(calls)) expect(code).toBe('unavailable');
    }
    await works();
    expect(node.services.pool.waitingCount).toBe(0);
    await expect.poll(() => node.services.pool.totalCount - node.services.pool.idleCount).toBe(0);
  });

  test('without the file of its Unix socket, which a stopped server deletes: returns 503, and recovers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'firmdesk-socket-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const first = await openTcpProxy(home.databaseUrl, folder);
    const local = await home.secondNode(first.url);
    const status = async () =>
      (await local.request('POST /v1/test/effects', { token, body: { value: 'x' } })).status;
    await expect.poll(status).toBe(201);
    await first[Symbol.asyncDispose]();
    await expect.poll(status).toBe(503);
    expect((await local.request('GET /readyz')).status).toBe(503);
    await using _second = await openTcpProxy(home.databaseUrl, folder);
    await expect.poll(status, { timeout: 20_000 }).toBe(201);
  });
});
