import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeServices, createServices } from '../../../app/services.ts';
import { inTransaction, newContext, withTransaction } from '../../database/transaction.ts';
import { sendSignal } from './send-signal.ts';
import type { Signals } from './signals.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

/** Collects the ids of a kind's signals, once the process listens. */
async function collect(signals: Signals, kind: string) {
  const ids: (string | null)[] = [];
  const stop = signals.on(kind, (id) => ids.push(id));
  await expect.poll(() => ids).toContain(null);
  return { ids, stop, sent: () => ids.filter((id) => id !== null) };
}

test('delivers a signal to the listeners of its kind in every process, after the commit', async () => {
  const other = await createServices({ databaseUrl: base.databaseUrl });
  try {
    const [here, there] = [
      await collect(base.services.signals, 'near'),
      await collect(other.signals, 'near'),
    ];
    const foreign = await collect(other.signals, 'other');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const committed = withTransaction(base.services, async (ctx) => {
      sendSignal(ctx, 'near', 1);
      await held;
    });
    base.services.signals.send('near', 'first');
    await expect.poll(there.sent).toEqual(['first']);
    release();
    await committed;
    await expect.poll(there.sent).toEqual(['first', '1']);
    await expect.poll(here.sent).toEqual(['first', '1']);
    expect(foreign.sent()).toEqual([]);
    for (const { stop } of [here, there, foreign]) stop();
  } finally {
    await closeServices(other);
  }
});

test('sends no signal of a transaction that is rolled back', async () => {
  const { services } = base;
  const { sent, stop } = await collect(services.signals, 'rollback');
  const failing = withTransaction(services, async (ctx) => {
    sendSignal(ctx, 'rollback', 'never');
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  const ctx = newContext(services);
  const first = inTransaction(ctx, async (inside) => {
    sendSignal(inside, 'rollback', 'never');
    throw new Error('rolled back');
  });
  await expect(first).rejects.toThrow('rolled back');
  await inTransaction(ctx, async (inside) => sendSignal(inside, 'rollback', 'committed'));
  sendSignal(ctx, 'rollback', 'without a transaction');
  await expect.poll(sent).toEqual(['committed', 'without a transaction']);
  stop();
});

test('sends equal signals that wait together once', async () => {
  const { signals } = base.services;
  const { sent, stop } = await collect(signals, 'many');
  for (let n = 0; n < 1_000; n++) signals.send('many', n % 100);
  await expect.poll(sent).toHaveLength(100);
  expect(new Set(sent()).size).toBe(100);
  stop();
});

test('calls listeners with null when listening starts, after a reconnection, and every second', async () => {
  const { signals, pool } = base.services;
  const { ids, stop } = await collect(signals, 'sweep');
  await expect.poll(() => ids.length).toBeGreaterThan(2);
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'firmdesk signals'`,
  );
  // A signal is lost while nothing listens.
  await expect
    .poll(() => {
      signals.send('sweep', 'after');
      return ids;
    })
    .toContain('after');
  stop();
});

test('sends the signals that wait before it closes, also if it has not connected yet', async () => {
  const { sent, stop } = await collect(base.services.signals, 'closing');
  const other = await createServices({ databaseUrl: base.databaseUrl });
  other.signals.send('closing', 1);
  await closeServices(other);
  await expect.poll(sent).toEqual(['1']);
  stop();
});
