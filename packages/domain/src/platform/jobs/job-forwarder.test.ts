import { once } from 'node:events';
import { openTestServices, type TestServices } from '@firmdesk/testing';
import pg, { type Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { withTransaction } from '../database/transaction.ts';
import { moveRequestedJobs } from './job-forwarder.ts';
import { defineJob, enqueue, handle } from './jobs.ts';
import { startWorker } from './worker.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());
beforeEach(() => base.services.pool.query('truncate job_requests, graphile_worker._private_jobs'));

const noted = defineJob('test.note', z.object({ workspace: z.int().optional(), text: z.string() }));

const rowsOf = async (query: string) => (await base.services.pool.query(query)).rows;
const requests = () => rowsOf('select workspace_id, key from job_requests order by requested_at');
const queued = () =>
  rowsOf('select payload, key, max_attempts from graphile_worker._private_jobs order by id');

test('neither waits for a transaction that has enqueued, even with the same key, nor notifies in its own', async () => {
  const listener = new pg.Client({ connectionString: base.databaseUrl });
  await listener.connect();
  try {
    const channels: string[] = [];
    listener.on('notification', ({ channel }) => channels.push(channel));
    await listener.query('listen "jobs:insert"');
    await listener.query('listen done');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: hasEnqueued, resolve: reportEnqueued } = Promise.withResolvers<void>();
    const options = { key: 'one' };
    const open = withTransaction(base.services, async (ctx) => {
      await enqueue(ctx, noted, { workspace: 2, text: 'first' }, options);
      reportEnqueued();
      await held;
    });
    await hasEnqueued;
    await withTransaction(base.services, (ctx) =>
      enqueue(ctx, noted, { workspace: 2, text: 'second' }, options),
    );
    release();
    await open;
    const sentinel = once(listener, 'notification');
    await base.services.pool.query('notify done');
    await sentinel;
    expect(channels).toEqual(['done']);
    expect(await requests()).toHaveLength(2);
  } finally {
    await listener.end();
  }
});

test('moves the requests of all firms into the queue, of several with one key the latest', async () => {
  await withTransaction(base.services, async (ctx) => {
    await enqueue(ctx, noted, { workspace: 2, text: 'one' }, { attempts: 3 });
    await enqueue(ctx, noted, { workspace: 2, text: 'replaced' }, { key: 'k' });
    await enqueue(ctx, noted, { workspace: 2, text: 'latest' }, { key: 'k' });
    await enqueue(ctx, noted, { text: 'of no firm' });
  });
  await moveRequestedJobs(base.services.firmServers);
  await withTransaction(base.services, (ctx) => enqueue(ctx, noted, { text: 'moved later' }, { key: 'k' }));
  await moveRequestedJobs(base.services.firmServers);
  expect(await requests()).toEqual([]);
  const jobs = await queued();
  expect(jobs).toHaveLength(3);
  expect(jobs).toEqual(
    expect.arrayContaining([
      { payload: { workspace: 2, text: 'one' }, key: null, max_attempts: 3 },
      { payload: { text: 'moved later' }, key: 'k', max_attempts: 25 },
      { payload: { text: 'of no firm' }, key: null, max_attempts: 25 },
    ]),
  );
});

test('counts a delay from the enqueuing transaction', async () => {
  await withTransaction(base.services, (ctx) =>
    enqueue(ctx, noted, { text: 'later' }, { afterMs: 3_600_000 }),
  );
  const [{ earlier }] = await rowsOf(`select run_at - interval '20 minutes' as earlier from job_requests`);
  await base.services.pool.query('update job_requests set run_at = $1', [earlier]);
  await moveRequestedJobs(base.services.firmServers);
  const [job] = await rowsOf(
    `select run_at between now() + interval '39 minutes' and now() + interval '41 minutes' as is_kept
     from graphile_worker._private_jobs`,
  );
  expect(job).toEqual({ is_kept: true });
});

test('several workers move each request once', async () => {
  const texts = Array.from({ length: 200 }, (_, n) => String(n));
  await withTransaction(base.services, async (ctx) => {
    for (const [n, text] of texts.entries()) await enqueue(ctx, noted, { workspace: n % 5, text });
  });
  const pool = new pg.Pool({ connectionString: base.databaseUrl, max: 20 });
  try {
    await Promise.all([1, 2, 3, 4].map(() => moveRequestedJobs(base.services.firmServers.through(pool))));
  } finally {
    await pool.end();
  }
  const moved = (await queued()).map(({ payload }) => payload.text);
  expect(moved.toSorted()).toEqual(texts.toSorted());
});

test('a worker that dies at the commit loses no job and adds none twice', async () => {
  const { pool, firmServers } = base.services;
  await withTransaction(base.services, (ctx) =>
    enqueue(ctx, noted, { workspace: 2, text: 'kept' }, { key: 'k' }),
  );
  const dying: Pool = Object.assign(Object.create(pool), {
    query: pool.query.bind(pool),
    async connect() {
      const client = new pg.Client({ connectionString: base.databaseUrl });
      await client.connect();
      const query = client.query.bind(client) as (text: unknown) => Promise<unknown>;
      const dieAtCommit = (text: unknown) =>
        text === 'commit' ? client.end().then(() => Promise.reject(new Error('died'))) : query(text);
      return Object.assign(client, { query: dieAtCommit, release() {} });
    },
  });
  await expect(moveRequestedJobs(firmServers.through(dying))).rejects.toThrow('died');
  await vi.waitFor(
    async () => {
      await moveRequestedJobs(firmServers);
      expect(await requests()).toEqual([]);
    },
    { timeout: 30_000 },
  );
  expect(await queued()).toHaveLength(1);
});

test('a worker runs requests of which it is not told, and jobs that the previous version put into the queue', async () => {
  const seen: string[] = [];
  await base.services.pool.query(`select from graphile_worker.add_job('test.note', '{"text": "earlier"}')`);
  const note = handle(noted, async (_services, { text }) => void seen.push(text));
  const worker = await startWorker(base.services, [note], []);
  try {
    await vi.waitFor(() => expect(seen).toEqual(['earlier']), { timeout: 30_000 });
    await base.services.pool.query(
      `insert into job_requests (workspace_id, task, payload, run_at) values (2, 'test.note', '{"text": "untold"}', now())`,
    );
    await vi.waitFor(() => expect(seen).toEqual(['earlier', 'untold']), { timeout: 30_000 });
  } finally {
    await worker.stop();
  }
});

test('a firm whose requests cannot be moved delays no other firm', async () => {
  const { services } = base;
  const seen: string[] = [];
  const note = handle(noted, async (_services, { text }) => void seen.push(text));
  const worker = await startWorker(services, [note], []);
  try {
    await services.pool.query(`
      insert into job_requests (workspace_id, task, payload, run_at, max_attempts)
        values (2, 'test.note', '{"text": "broken"}', '-infinity', 0);
      insert into job_requests (workspace_id, task, payload, run_at) values (3, 'test.note', '{"text": "runs"}', now())`);
    await vi.waitFor(() => expect(seen).toEqual(['runs']), { timeout: 30_000 });
    await vi.waitFor(async () => expect(await requests()).toEqual([{ workspace_id: 2, key: null }]), {
      timeout: 30_000,
    });
    const warnings = () => base.log.lines.filter(({ message }) => message.includes('cannot be moved'));
    await vi.waitFor(() => expect(warnings()).toHaveLength(1), { timeout: 30_000 });
  } finally {
    await worker.stop();
  }
});
