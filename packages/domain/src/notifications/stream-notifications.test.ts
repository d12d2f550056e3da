import { createUser, createWorkspace, openTestServices, type TestServices } from '@firmdesk/testing';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { newContext, withTransaction } from '../platform/database/transaction.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { raiseNotification } from './raise-notification.ts';
import { streamNotifications } from './stream-notifications.ts';

const WINDOWS = 5;
const WAIT = { timeout: 20_000 };

let base: TestServices;
/** The number of statements that counted unread notifications. */
let counts = 0;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  // Not when it is made: the pool has connections already.
  const watched = new WeakSet<object>();
  base.services.pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const text = typeof args[0] === 'string' ? args[0] : ((args[0] as { text?: string })?.text ?? '');
      if (/select count\(\*\).*from "?notifications/s.test(text)) counts++;
      return query(...args);
    }) as PoolClient['query'];
  });
});
afterAll(() => base[Symbol.asyncDispose]());

/** Opens several windows of one account, each with its stream. */
async function openWindows() {
  const { services } = base;
  const workspace = await createWorkspace(services);
  const user = await createUser(services, { firm: workspace, permissions: ['view_tickets'] });
  const closing = new AbortController();
  const windows = Array.from({ length: WINDOWS }, () => ({ created: 0, unread: [] as number[] }));
  const ended = windows.map(async (window) => {
    const ctx = { ...newContext(services), identity: { user }, workspace } as AccountContext;
    const stream = await streamNotifications(ctx, {}, closing.signal);
    for await (const [, event] of stream) {
      if (event.type === 'notification.created') window.created++;
      if (event.type === 'unread') window.unread.push(event.unread);
    }
  });
  return {
    windows,
    raise: (number: number) =>
      withTransaction(services, async (ctx) => {
        const notification = {
          workspace,
          kind: 'ticket_awaiting_admin',
          title: 'T',
          actionUrl: '/t',
        } as const;
        for (let n = 0; n < number; n++) await raiseNotification(ctx, { ...notification, to: [user.id] });
      }),
    async close() {
      closing.abort();
      await Promise.all(ended);
    },
  };
}

test('counts once per change for all windows of an account, and once for events that arrive together', async () => {
  const { windows, raise, close } = await openWindows();
  const settled = (unread: number) =>
    vi.waitFor(() => {
      for (const window of windows) expect([window.created, window.unread.at(-1)]).toEqual([unread, unread]);
    }, WAIT);
  await vi.waitFor(() => {
    for (const window of windows) expect(window.unread).toEqual([0]);
  }, WAIT);

  counts = 0;
  await raise(1);
  await settled(1);
  expect(counts).toBe(1);

  counts = 0;
  await raise(6);
  await settled(7);
  expect(counts).toBe(1);
  await close();
});
