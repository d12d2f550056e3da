import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { withTransaction } from '../database/transaction.ts';
import { defineJob, enqueue, handle } from './jobs.ts';
import { startWorker } from './worker.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

// Long enough that a busy machine renews in time.
const TIMES = { leaseMs: 4_000, renewMs: 500 };

const noted = defineJob('test.note', z.object({ text: z.string() }));

test('runs a job when its transaction commits, and never after a rollback', async () => {
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
    await vi.waitFor(() => expect(seen).toEqual(['committed']), { timeout: 30_000 });
  } finally {
    await worker.stop();
  }
});

test('runs a delayed job soon after its time, of which the queue does not tell it', async () => {
  const seen: string[] = [];
  const note = handle(noted, async (_services, { text }) => void seen.push(text));
  const worker = await startWorker(base.services, [note], []);
  try {
    const requested = performance.now();
    await withTransaction(base.services, (ctx) =>
      enqueue(ctx, noted, { text: 'delayed' }, { afterMs: 2_000 }),
    );
    // The queue's own poll, every minute, would be too late.
    await vi.waitFor(() => expect(seen).toEqual(['delayed']), { timeout: 30_000 });
    expect(performance.now() - requested).toBeGreaterThan(1_900);
  } finally {
    await worker.stop();
  }
});

/** Starts a process whose worker takes a job, reports that, and finishes the job on request. */
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

test('gives the job of a killed worker to another worker within the lease time', async () => {
  const child = await startStuckWorker('survives');
  child.kill('SIGKILL');
  await once(child, 'exit');

  const seen: string[] = [];
  const note = handle(noted, async (_services, { text }) => void seen.push(text));
  const worker = await startWorker(base.services, [note], [], { times: TIMES });
  try {
    await vi.waitFor(() => expect(seen).toEqual(['survives']), { timeout: 30_000 });
  } finally {
    await worker.stop();
  }
});

test('gives the job of a frozen worker to another, and rejects the result of the frozen worker when it resumes', async () => {
  const child = await startStuckWorker('once more');
  child.kill('SIGSTOP');
  const taken: PromiseWithResolvers<void>[] = [];
  const note = handle(noted, async () => {
    const job = Promise.withResolvers<void>();
    taken.push(job);
    await job.promise;
  });
  const worker = await startWorker(base.services, [note], [], { times: TIMES });
  try {
    await vi.waitFor(() => expect(taken).toHaveLength(1), { timeout: 30_000 });
    child.kill('SIGCONT');
    child.stdin!.write('finish\n');
    const output: string[] = [];
    child.stdout!.on('data', (chunk) => output.push(String(chunk)));
    await vi.waitFor(() => expect(output.join('')).toContain('is restarted'), { timeout: 30_000 });
    // Its next worker would take the job again.
    child.kill('SIGKILL');
    await once(child, 'exit');
    // The job would be lost now if the first worker had deleted it as done.
    taken[0]!.reject(new Error('tried once more'));
    await vi.waitFor(() => expect(taken).toHaveLength(2), { timeout: 30_000 });
    taken[1]!.resolve();
  } finally {
    child.kill('SIGKILL');
    await worker.stop();
  }
});

test('leaves no lease and no session after a worker is stopped', async () => {
  const leases = async () =>
    (await base.services.pool.query<{ id: string }>('select id from workers')).rows.map(({ id }) => id);
  const before = new Set(await leases());
  const worker = await startWorker(base.services, [], [], { times: TIMES });
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

test('continues after the results of jobs could not be stored', async () => {
  const seen: string[] = [];
  const note = handle(noted, async ({ pool }, { text }) => {
    seen.push(text);
    // The queue then fails as it does when the server ends its connections.
    const isFirst = seen.filter((one) => one === 'breaks').length === 1;
    if (text === 'breaks' && isFirst)
      await pool.query('alter table graphile_worker._private_jobs rename to renamed_jobs');
    if (text === 'is caught') await vi.waitFor(() => expect(seen).toContain('breaks'), { timeout: 30_000 });
  });
  const worker = await startWorker(base.services, [note], [], { times: TIMES });
  try {
    await withTransaction(base.services, async (ctx) => {
      for (const text of ['is caught', 'is caught', 'breaks']) await enqueue(ctx, noted, { text });
    });
    const isRestarted = () => base.log.lines.some(({ message }) => message.includes('is restarted'));
    await vi.waitFor(() => expect(isRestarted()).toBe(true), { timeout: 40_000 });
    await base.services.pool.query('alter table graphile_worker.renamed_jobs rename to _private_jobs');
    await withTransaction(base.services, (ctx) => enqueue(ctx, noted, { text: 'works again' }));
    await vi.waitFor(() => expect(seen).toContain('works again'), { timeout: 40_000 });
  } finally {
    await worker.stop();
  }
}, 120_000);
