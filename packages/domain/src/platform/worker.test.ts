import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { openTestServices, type TestServices } from '../testing/services.ts';
import { defineJob, enqueue, handle } from './jobs.ts';
import { withTransaction } from './transaction.ts';
import { startWorker } from './worker.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

const TIMES = { leaseMs: 1_000, renewMs: 200 };

const noted = defineJob('test.note', z.object({ text: z.string() }));

test('a job runs when what caused it is committed, and never when it was rolled back', async () => {
  const seen: string[] = [];
  const worker = await startWorker(
    base.services,
    [handle(noted, async (_services, { text }) => void seen.push(text))],
    [],
  );
  try {
    await expect(
      withTransaction(base.services, async (ctx) => {
        await enqueue(ctx, noted, { text: 'rolled back' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await withTransaction(base.services, (ctx) => enqueue(ctx, noted, { text: 'committed' }));
    await vi.waitFor(() => expect(seen).toEqual(['committed']), { timeout: 10_000 });
  } finally {
    await worker.stop();
  }
});

/** A process whose worker takes a job, says so, and finishes it when it is told to. */
async function startStuckWorker(text: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [new URL('../testing/stuck-worker.ts', import.meta.url).pathname], {
    env: { DATABASE_URL: base.databaseUrl, LEASE_TIMES: JSON.stringify(TIMES) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await withTransaction(base.services, (ctx) => enqueue(ctx, noted, { text }));
  const [started] = await once(child.stdout!, 'data');
  expect(String(started)).toBe(`${text}\n`);
  return child;
}

test('the job of a killed worker is done by another, soon', async () => {
  const child = await startStuckWorker('survives');
  child.kill('SIGKILL');
  await once(child, 'exit');

  const seen: string[] = [];
  const note = handle(noted, async (_services, { text }) => void seen.push(text));
  const worker = await startWorker(base.services, [note], [], TIMES);
  try {
    await vi.waitFor(() => expect(seen).toEqual(['survives']), { timeout: 20_000 });
  } finally {
    await worker.stop();
  }
});

test('a frozen worker loses its job, and cannot complete it when it wakes', async () => {
  const child = await startStuckWorker('once more');
  child.kill('SIGSTOP');
  const taken: PromiseWithResolvers<void>[] = [];
  const note = handle(noted, async () => {
    const job = Promise.withResolvers<void>();
    taken.push(job);
    await job.promise;
  });
  const worker = await startWorker(base.services, [note], [], TIMES);
  try {
    await vi.waitFor(() => expect(taken).toHaveLength(1), { timeout: 20_000 });
    child.kill('SIGCONT');
    child.stdin!.write('finish\n');
    const said: string[] = [];
    child.stdout!.on('data', (chunk) => said.push(String(chunk)));
    await vi.waitFor(() => expect(said.join('')).toContain('started again'), { timeout: 20_000 });
    // It would be lost now, had the first worker deleted it as done.
    taken[0]!.reject(new Error('tried once more'));
    await vi.waitFor(() => expect(taken).toHaveLength(2), { timeout: 20_000 });
    taken[1]!.resolve();
  } finally {
    child.kill('SIGKILL');
    await worker.stop();
  }
});

test('a worker that is stopped leaves neither a lease nor a session behind', async () => {
  const leases = async () =>
    (await base.services.pool.query<{ id: string }>('select id from workers')).rows.map(({ id }) => id);
  const before = new Set(await leases());
  const worker = await startWorker(base.services, [], [], TIMES);
  const own = (await leases()).filter((id) => !before.has(id));
  expect(own).toHaveLength(1);
  const sessions = async () =>
    (
      await base.services.pool.query('select from pg_stat_activity where application_name like $1', [
        `%${own[0]}`,
      ])
    ).rowCount;
  expect(await sessions()).toBeGreaterThan(0);
  await worker.stop();
  expect(await leases()).not.toContain(own[0]);
  await expect.poll(sessions).toBe(0);
});

test('a worker that could not write down how jobs came out goes on with the next', async () => {
  const seen: string[] = [];
  const note = handle(noted, async ({ pool }, { text }) => {
    seen.push(text);
    // The queue then fails over its own tables, as it does when the server ends its connections.
    const isFirst = seen.filter((one) => one === 'breaks').length === 1;
    if (text === 'breaks' && isFirst)
      await pool.query('alter table graphile_worker._private_jobs rename to away');
    if (text === 'is caught') await vi.waitFor(() => expect(seen).toContain('breaks'), { timeout: 20_000 });
  });
  const worker = await startWorker(base.services, [note], [], TIMES);
  try {
    await withTransaction(base.services, async (ctx) => {
      for (const text of ['is caught', 'is caught', 'breaks']) await enqueue(ctx, noted, { text });
    });
    const gaveUp = () => base.log.lines.some(({ message }) => message.includes('started again'));
    await vi.waitFor(() => expect(gaveUp()).toBe(true), { timeout: 40_000 });
    await base.services.pool.query('alter table graphile_worker.away rename to _private_jobs');
    await withTransaction(base.services, (ctx) => enqueue(ctx, noted, { text: 'works again' }));
    await vi.waitFor(() => expect(seen).toContain('works again'), { timeout: 40_000 });
  } finally {
    await worker.stop();
  }
}, 120_000);
