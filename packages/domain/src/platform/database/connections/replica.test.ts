import { openTemporaryReplica, openTemporaryServer, primarySettings } from '@firmdesk/postgres';
import { administer, openTcpProxy, type TcpProxy, TestLog } from '@firmdesk/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeServices, createServices } from '../../../app/services.ts';
import type { Services } from '../../services.ts';

type Server = Awaited<ReturnType<typeof openTemporaryServer>>;

let primary: Server;
let replica: Server;
let proxy: TcpProxy;
let services: Services;
const log = new TestLog();

beforeAll(async () => {
  // As in production: a client is told of a commit after it is on disk.
  primary = await openTemporaryServer({ settings: { ...primarySettings, synchronous_commit: 'on' } });
  replica = await openTemporaryReplica(primary);
  proxy = await openTcpProxy(replica.url);
  services = await createServices({ databaseUrl: primary.url, replicaUrl: proxy.url, log });
  await services.pool.query('create table written (n integer)');
});
afterAll(async () => {
  await closeServices(services);
  await proxy[Symbol.asyncDispose]();
  await replica?.release();
  await primary?.release();
});
beforeEach(async () => {
  // Until the replica is used again after what another test did.
  await expect.poll(async () => (await read()).is_replica).toBe(true);
  log.lines.length = 0;
});

async function read(): Promise<{ is_replica: boolean; n: number | null }> {
  return services.replica.read(async (pool) => {
    const { rows } = await pool.query<{ is_replica: boolean; n: number | null }>(
      'select pg_is_in_recovery() as is_replica, (select max(n) from written) as n',
    );
    return rows[0]!;
  }, services.pool);
}
const write = (n: number) => services.pool.query('insert into written values ($1)', [n]);

test('reads from the replica what was just written', async () => {
  let fromReplica = 0;
  for (let n = 1; n <= 50; n++) {
    await write(n);
    const { is_replica, n: found } = await read();
    expect(found).toBe(n);
    if (is_replica) fromReplica++;
  }
  expect(fromReplica).toBeGreaterThan(25);
});

test('reads from the primary while the replica is behind, and from the replica again afterwards', async () => {
  await administer(replica.url, 'select pg_wal_replay_pause()');
  try {
    await write(1_000);
    for (let read_ = 0; read_ < 3; read_++) expect(await read()).toEqual({ is_replica: false, n: 1_000 });
    expect(log.lines.map(({ message }) => message)).toEqual([
      'the replica is more than 100 ms behind; reads use the primary',
    ]);
  } finally {
    await administer(replica.url, 'select pg_wal_replay_resume()');
  }
  await expect.poll(read).toEqual({ is_replica: true, n: 1_000 });
});

test.each(['cut', 'stall'] as const)(
  'reads from the primary while the replica does not answer (%s)',
  async (how) => {
    proxy[how]();
    await write(2_000);
    expect(await read()).toEqual({ is_replica: false, n: 2_000 });
    proxy.restore();
    await expect.poll(read).toEqual({ is_replica: true, n: 2_000 });
  },
);

// The last test: the replica is promoted.
test('reads from the primary when the replica was promoted', async () => {
  await administer(replica.url, 'select pg_promote()');
  await write(3_000);
  for (let read_ = 0; read_ < 3; read_++) expect(await read()).toEqual({ is_replica: false, n: 3_000 });
  expect(log.lines.map(({ message }) => message)).toContain(
    'the replica does not follow the primary; reads use the primary',
  );
});
