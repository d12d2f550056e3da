import { once } from 'node:events';
import { cloneDatabase, openTcpProxy, TestLog } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { disabledProvider } from '../push/push-provider.ts';
import { closeServices, createServices } from './services.ts';

/** The limit of the test. Without its own limit, closing would wait forever for the server's answer. */
const TIMEOUT_MS = 20_000;

test('closes without waiting for a silent server', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  await using proxy = await openTcpProxy(database.url);
  const log = new TestLog();
  const services = await createServices({ databaseUrl: proxy.url, log });
  services.signals.on('test', () => {});
  await expect.poll(() => services.signals.isListening).toBe(true);
  await services.searchPool.query('select 1');
  await services.pool.query('select 1');
  proxy.mute();
  const pendingQuery = services.pool.query('select 1');
  pendingQuery.catch(() => {});
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const closed = closeServices(services).then(() => true);
  expect(await Promise.race([closed, once(timeout, 'abort').then(() => false)])).toBe(true);
  expect(log.lines).toContainEqual({
    level: 'warn',
    message: 'connections did not close in time',
    fields: { part: 'signals' },
  });
});

test('closes all other services if one fails to close, then throws its failure', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const log = new TestLog();
  const failure = new Error('The provider cannot be closed.');
  const push = { ...disabledProvider(log), close: () => Promise.reject(failure) };
  const services = await createServices({ databaseUrl: database.url, log, push });
  await expect(closeServices(services)).rejects.toBe(failure);
  expect([services.searchPool.ended, services.pool.ended]).toEqual([true, true]);
});
