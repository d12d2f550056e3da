import { openTcpProxy, openTestServices, type TcpProxy, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { withTransaction } from '../database/transaction.ts';
import { defineJob, enqueue, handle } from './jobs.ts';
import { startWorker } from './worker.ts';

/** A worker looks for lost jobs as often as a lease lasts. */
const TIMES = { leaseMs: 2_000, renewMs: 500 };
const SOON = { timeout: 60_000, interval: 50 };
/** A part of the name of the statement with which the queue fetches jobs. */
const FETCH = 'get_job';

let base: TestServices;
let proxy: TcpProxy;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  proxy = await openTcpProxy(base.databaseUrl);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await base[Symbol.asyncDispose]();
});

const noted = defineJob('test.note', z.object({ text: z.string() }));
const request = (text: string) => withTransaction(base.services, (ctx) => enqueue(ctx, noted, { text }));
const rowsOf = async (text: string) => (await base.services.pool.query(text)).rows;
const jobs = () => rowsOf('select locked_by is not null as is_locked from graphile_worker.jobs');
const restarts = () => base.log.lines.filter(({ message }) => message.includes('is restarted')).length;

test('runs a job again if the connection of its fetch ended between the commit and the response', async () => {
  const seen: string[] = [];
  const note = handle(noted, async (_services, { text }) => void seen.push(text));
  const worker = await startWorker({ ...base.services, databaseUrl: proxy.url }, [note], [], {
    times: TIMES,
  });
  try {
    await request('received');
    await vi.waitFor(async () => expect([seen, await jobs()]).toEqual([['received'], []]), SOON);
    proxy.withholdAnswersTo(FETCH);
    await request('lost');
    await vi.waitFor(async () => expect(await jobs()).toEqual([{ is_locked: true }]), SOON);
    proxy.restore();
    await vi.waitFor(async () => expect([seen, await jobs()]).toEqual([['received', 'lost'], []]), SOON);
  } finally {
    await worker.stop();
  }
});

test('does not end a worker whose jobs run longer than it looks for lost ones', async () => {
  const before = restarts();
  const taken = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const note = handle(noted, async () => {
    taken.resolve();
    await done.promise;
  });
  const worker = await startWorker(base.services, [note], [], { times: TIMES });
  try {
    await request('long');
    await taken.promise;
    const renewedAt = async () => {
      const [lease] = await rowsOf('select extract(epoch from max(renewed_at)) * 1000 as ms from workers');
      return Number(lease!.ms);
    };
    const start = await renewedAt();
    await vi.waitFor(async () => expect(await renewedAt()).toBeGreaterThan(start + 3 * TIMES.leaseMs), SOON);
    expect(restarts()).toBe(before);
  } finally {
    done.resolve();
    await worker.stop();
  }
});
