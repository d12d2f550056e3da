import { openTcpProxy, openTestServices, type TcpProxy, type TestServices } from '@firmdesk/testing';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { closeServices, createServices } from '../../app/services.ts';
import type { Services } from '../services.ts';
import { createLeasePool, WorkerLease } from './worker-lease.ts';

const TIMES = { leaseMs: 1_000, renewMs: 200 };

let base: TestServices;
let proxy: TcpProxy;
/** Services that reach the database through the proxy. */
let cut: Services;
beforeEach(async () => {
  base = await openTestServices(inject('postgresUrl'));
  proxy = await openTcpProxy(base.databaseUrl);
  cut = await createServices({ databaseUrl: proxy.url, log: base.log });
});
afterEach(async () => {
  await closeServices(cut);
  await proxy[Symbol.asyncDispose]();
  await base[Symbol.asyncDispose]();
});

const takeLease = (services: Services) => WorkerLease.take(services.log, createLeasePool(services), TIMES);

async function isLost(lease: WorkerLease): Promise<boolean> {
  return Promise.race([lease.lost.then(() => true), Promise.resolve(false)]);
}

/** Returns when the lease was last renewed; undefined if it was lost. */
const renewedAt = async (lease: WorkerLease): Promise<string> =>
  (await base.services.pool.query('select renewed_at from workers where id = $1', [lease.id])).rows[0]
    ?.renewed_at;

test('takes the lease and the sessions of a worker that cannot reach the database', async () => {
  const lost = await takeLease(cut);
  const other = await takeLease(base.services);
  const session = await cut.pool.connect();
  session.release();
  proxy.mute();
  const isDead = async () => (await renewedAt(lost)) === undefined;
  await vi.waitFor(async () => expect(await isDead()).toBe(true), { timeout: 30_000 });
  await expect(lost.ensureHeld(await base.services.pool.connect().then(released))).rejects.toThrow(
    'lost its lease',
  );
  await lost.lost;
  expect(await isLost(other)).toBe(false);
  await Promise.all([lost.end(AbortSignal.abort()), other.end(AbortSignal.abort())]);
});

function released<T extends { release(): void }>(client: T): T {
  client.release();
  return client;
}

test('does not consider other workers dead right after an outage longer than the lease', async () => {
  const slow = await takeLease(cut);
  const first = await takeLease(base.services);
  const start = Date.parse(await renewedAt(first));
  const steadyFor = async () => Date.parse(await renewedAt(first)) - start;
  await vi.waitFor(async () => expect(await steadyFor()).toBeGreaterThan(2 * TIMES.leaseMs), {
    timeout: 30_000,
  });
  // Simulates an outage of a minute, after which `first` renews its lease before `slow`.
  proxy.cut();
  await base.services.pool.query(`update workers set renewed_at = renewed_at - interval '1 minute'`);
  const before = await renewedAt(first);
  await vi.waitFor(async () => expect(await renewedAt(first)).not.toBe(before), { timeout: 30_000 });
  const old = await renewedAt(slow);
  expect(old).toBeDefined();
  proxy.restore();
  await vi.waitFor(async () => expect(await renewedAt(slow)).not.toBe(old), { timeout: 30_000 });
  expect(await renewedAt(slow)).toBeDefined();
  expect(await isLost(slow)).toBe(false);
  await Promise.all([slow.end(AbortSignal.abort()), first.end(AbortSignal.abort())]);
});
