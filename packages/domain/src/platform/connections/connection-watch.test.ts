import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createTicket,
  createUser,
  createWorkspace,
  openTcpProxy,
  openTestServices,
  TestLog,
} from '@firmdesk/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { closeServices, createServices } from '../../app/services.ts';
import { toApiError } from '../../procedures/to-api-error.ts';
import { ticketTopic } from '../../tickets/streams/topics.ts';
import { withTransaction } from '../database/transaction.ts';
import { LOG_START } from '../events/event-id.ts';
import { defineJob, enqueue, handle } from '../jobs/jobs.ts';
import { startWorker } from '../jobs/worker.ts';
import { createPool } from './connection.ts';
import { ConnectionWatch } from './connection-watch.ts';

const TICK_MS = 100;

const watches: ConnectionWatch[] = [];
let log: TestLog;
beforeEach(() => {
  log = new TestLog();
});
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.close();
});

function watchOf(databaseUrl: string): ConnectionWatch {
  const watch = new ConnectionWatch({ databaseUrl, schema: '0001-test', log, tickMs: TICK_MS });
  watches.push(watch);
  return watch;
}

function poolOf(watch: ConnectionWatch, url: string, max = 1): pg.Pool {
  const pool = createPool(url, { name: 'test' }, { max });
  pool.on('error', () => {});
  watch.addPool(pool);
  return pool;
}

const pidOf = async (pool: Pick<pg.Pool, 'query'>): Promise<number> =>
  (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;

test('ends every connection, busy or idle, to a server that stopped answering', async () => {
  await using proxy = await openTcpProxy(inject('postgresUrl'));
  const pool = poolOf(watchOf(proxy.url), proxy.url, 2);
  await Promise.all([pool.query('select pg_sleep(0.1)'), pool.query('select pg_sleep(0.1)')]);
  expect(pool.totalCount).toBe(2);
  proxy.mute();
  await expect(pool.query('select 1')).rejects.toThrow('Connection terminated');
  await expect.poll(() => pool.totalCount).toBe(0);
  expect((await pool.query('select 1')).rowCount).toBe(1);
  await pool.end();
});

test('releases the locks of sessions behind silent connections', async () => {
  const url = inject('postgresUrl');
  await using proxy = await openTcpProxy(url);
  const watch = watchOf(proxy.url);
  // The server itself would never end the sessions.
  const pool = createPool(proxy.url, { name: 'test', statementTimeoutMs: null }, { max: 2 });
  pool.on('error', () => {});
  watch.addPool(pool);
  const lock = `select pg_advisory_xact_lock(hashtext('locked behind a silent connection'))`;
  const direct = new pg.Client({ connectionString: url });
  await direct.connect();
  const [holder, waiting] = [await pool.connect(), await pool.connect()];
  await holder.query('begin');
  await holder.query(lock);
  const holds = holder.query('select pg_sleep(3600)').catch((error: Error) => error);
  await waiting.query('begin');
  const { pid } = (await waiting.query('select pg_backend_pid() as pid')).rows[0];
  const waits = waiting.query(lock).catch((error: Error) => error);
  const isWaiting = `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await direct.query(isWaiting, [pid])).rowCount).toBe(1);
  proxy.mute();
  for (const interrupted of [holds, waits])
    expect(await interrupted).toMatchObject({ message: expect.stringContaining('Connection terminated') });
  await direct.query(lock);
  await direct.end();
  for (const client of [holder, waiting]) client.release(true);
  await pool.end();
});

test('does not end a slow statement while the server answers others', async () => {
  const url = inject('postgresUrl');
  const pool = poolOf(watchOf(url), url);
  // Three times the tolerated silence.
  await pool.query(`select pg_sleep(${(10 * TICK_MS) / 1_000})`);
  await pool.end();
});

test('ends a single silent connection after the longest possible statement', async () => {
  const url = inject('postgresUrl');
  await using proxy = await openTcpProxy(url);
  const pool = poolOf(watchOf(url), proxy.url);
  await pool.query('select 1');
  proxy.mute();
  await expect(pool.query('select 1')).rejects.toThrow('Connection terminated');
  expect(log.lines).toEqual([]);
  await pool.end();
});

test('replaces the connections to a read-only server, and answers the call with unavailable', async () => {
  const url = inject('postgresUrl');
  const pool = poolOf(watchOf(url), url, 2);
  const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
  const pids = await Promise.all([one, other].map(pidOf));
  other.release();
  await one.query('set default_transaction_read_only = on');
  const refusal = await one.query('create table refused ()').catch((error: unknown) => error);
  expect(toApiError(refusal)).toMatchObject({ apiCode: 'unavailable', status: 503 });
  one.release();
  await expect.poll(() => pool.totalCount).toBe(0);
  expect(pids).not.toContain(await pidOf(pool));
  await pool.end();
});

test('serves calls, searches, jobs and streams again within 15 s after a failover', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  await using proxy = await openTcpProxy(base.databaseUrl);
  const services = await createServices({ databaseUrl: proxy.url, poolSizes: { main: 4 } });
  const note = defineJob('test.note', z.object({ text: z.string() }));
  const done: string[] = [];
  const worker = await startWorker(
    services,
    [handle(note, async (_services, { text }) => void done.push(text))],
    [],
  );
  const stopped = new AbortController();
  try {
    const firm = await createWorkspace(base.services);
    const trader = await createUser(base.services, { firm, role: 'trader' });
    const ticketId = await createTicket(base.services, { firm, trader });
    const events = await services.live.follow({
      topic: ticketTopic(firm.id, ticketId),
      lastEventId: null,
      findStart: async () => ({ ...LOG_START, first: [] }),
      signal: stopped.signal,
    });
    const next = events[Symbol.asyncIterator]().next();
    await vi.waitFor(() => expect(services.signals.isListening).toBe(true), { timeout: 30_000 });
    const works = () =>
      Promise.all([
        ...Array.from({ length: 4 }, () => services.pool.query('select pg_sleep(0.05)')),
        ...Array.from({ length: 4 }, () => services.searchPool.query('select pg_sleep(0.05)')),
      ]);
    await works();
    proxy.mute();
    const silentAt = performance.now();

    await base.services.pool.query(
      `insert into event_log (workspace_id, subject, type, body, created_at) values ($1, $2, 'test', '{}', now())`,
      [firm.id, ticketId],
    );
    await withTransaction(base.services, (ctx) => enqueue(ctx, note, { text: 'after' }));
    await Promise.all([
      vi.waitFor(works, { timeout: 30_000 }),
      vi.waitFor(() => expect(done).toEqual(['after']), { timeout: 30_000 }),
      expect(next).resolves.toMatchObject({ value: { type: 'test' } }),
    ]);
    await vi.waitFor(() => expect(services.signals.isListening).toBe(true), { timeout: 30_000 });
    expect(performance.now() - silentAt).toBeLessThan(15_000);
  } finally {
    stopped.abort();
    await worker.stop();
    await closeServices(services);
  }
});

test('lets an idle process end after its services are closed', async () => {
  const script = `
    const { createServices, closeServices } = await import(${JSON.stringify(new URL('../../app/services.ts', import.meta.url).href)});
    const services = await createServices({ databaseUrl: process.env.DATABASE_URL });
    await services.pool.query('select pg_sleep(0.2)');
    await closeServices(services);
    console.log('closed');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { DATABASE_URL: inject('postgresUrl') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'exit');
  expect([code, output]).toEqual([0, 'closed\n']);
});
