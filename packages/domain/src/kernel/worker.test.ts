import { spawn } from 'node:child_process';
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

test('the job of a killed worker is done by another, soon', async () => {
  const child = spawn(process.execPath, [new URL('../testing/stuck-worker.ts', import.meta.url).pathname], {
    env: { DATABASE_URL: base.databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await withTransaction(base.services, (ctx) => enqueue(ctx, noted, { text: 'survives' }));
  const [started] = await once(child.stdout, 'data');
  expect(String(started)).toBe('survives\n');
  child.kill('SIGKILL');
  await once(child, 'exit');

  const seen: string[] = [];
  const note = handle(noted, async (_services, { text }) => void seen.push(text));
  const worker = await startWorker(base.services, [note], [], 250);
  try {
    await vi.waitFor(() => expect(seen).toEqual(['survives']), { timeout: 20_000 });
  } finally {
    await worker.stop();
  }
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
  const worker = await startWorker(base.services, [note], [], 250);
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
