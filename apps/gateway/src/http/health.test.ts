import { createToken, createUser, createWorkspace, openTcpProxy } from '@firmdesk/testing';
import { exchange, openTestGateway } from '@firmdesk/testing/gateway';
import { expect, inject, test } from 'vitest';

const POOL = 3;

test('/readyz and /metrics respond while calls hold every connection of the pool', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'), { poolSizes: { main: POOL } });
  const { services } = gateway;
  const node = await gateway.secondNode();
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { text: token } = await createToken(services, { user, workspace: firm.slug });
  const locker = await services.pool.connect();
  await locker.query('begin; lock table memberships in access exclusive mode');
  const calls = Array.from({ length: 4 * POOL }, () => node.request('GET /v1/ping', { token }));
  const held = () => node.services.pool.totalCount - node.services.pool.idleCount;
  await expect.poll(held).toBe(POOL);

  const ready = await node.request('GET /readyz');
  expect([ready.status, ready.body.checks.database]).toEqual([200, 'ok']);
  const { text } = await node.request('GET /metrics');
  expect(text).not.toMatch(/ Nan$/m);
  expect(held()).toBe(POOL);

  await locker.query('rollback');
  locker.release();
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
});

test('/readyz returns 503 and /metrics responds while the database is silent, and both recover', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  await using proxy = await openTcpProxy(gateway.databaseUrl);
  const node = await gateway.secondNode(proxy.url);
  expect((await node.request('GET /readyz')).status).toBe(200);
  for (const how of ['stall', 'cut'] as const) {
    proxy[how]();
    const ready = await node.request('GET /readyz');
    expect([ready.status, ready.body.ok], how).toEqual([503, false]);
    const { text } = await node.request('GET /metrics');
    expect(text, how).toMatch(/^push_outbox_overdue_seconds Nan$/m);
    proxy.restore();
    await expect.poll(async () => (await node.request('GET /readyz')).status).toBe(200);
    await expect
      .poll(async () => (await node.request('GET /metrics')).text)
      .toMatch(/^push_outbox_overdue_seconds 0$/m);
  }
});

test('/readyz returns 200 while the connection for streams is made, and 503 while a lost one is made again', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  await using proxy = await openTcpProxy(gateway.databaseUrl);
  const node = await gateway.secondNode(proxy.url);
  const streams = async () => {
    const { status, body } = await node.request('GET /readyz');
    return [status, body.checks.streams];
  };
  const connecting = async () => {
    const { rows } = await gateway.services.pool.query(
      `select from pg_stat_activity where datname = current_database() and query = 'listen firmdesk'`,
    );
    return rows.length;
  };
  proxy.withholdAnswersTo('listen firmdesk');
  node.services.signals.on('test', () => {});
  await expect.poll(connecting).toBe(1);
  expect(await streams()).toEqual([200, 'ok']);

  proxy.restore();
  proxy.withholdAnswersTo('listen firmdesk');
  await expect.poll(streams).toEqual([503, 'reconnecting']);
  proxy.restore();
  await expect.poll(streams).toEqual([200, 'ok']);
});

test('health and metrics are served at exactly their paths, which proxies hide', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  for (const path of ['metrics', 'healthz', 'readyz']) {
    expect((await gateway.request(`GET /${path}`)).status, path).toBe(200);
    const encoded = `%${path.charCodeAt(0).toString(16)}${path.slice(1)}`;
    for (const spelling of [path.toUpperCase(), `${path}/`, `/${path}`, `./${path}`, encoded])
      expect(await exchange(gateway.url, [`GET /${spelling} HTTP/1.1`, 'Host: x']), spelling).toMatch(
        /^HTTP\/1\.1 404 /,
      );
  }
});
