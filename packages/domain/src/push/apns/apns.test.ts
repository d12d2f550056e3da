import { randomBytes, randomUUID } from 'node:crypto';
import { TestLog } from '@firmdesk/testing';
import { type ApnsServer, createTestProvider, openApnsServer, TOPICS } from '@firmdesk/testing/gateway';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PushProvider } from '../../index.ts';

let apns: ApnsServer;
let provider: PushProvider;
let log: TestLog;
let now = new Date();

beforeEach(async () => {
  log = new TestLog();
  now = new Date();
  apns = await openApnsServer();
  provider = createTestProvider(apns, { now: () => now, log, requestTimeoutMs: 3_000 });
});
afterEach(async () => {
  await provider.close();
  await apns[Symbol.asyncDispose]();
});

type Push = Parameters<PushProvider['send']>[0];
const push = (over: Partial<Push> = {}): Push => ({
  id: randomUUID(),
  app: 'mail',
  environment: 'production',
  deviceToken: randomBytes(32).toString('hex'),
  payload: JSON.stringify({ aps: { alert: { title: 'Ann', body: 'Ünïcode 👋' } }, type: 'test' }),
  expiresAt: new Date('2026-12-01T10:00:00.900Z'),
  collapseId: 'one',
  ...over,
});

test('sends a push with its headers and payload', async () => {
  const sent = push({ collapseId: 'abc' });
  expect(await provider.send(sent)).toEqual({ status: 'sent' });
  expect(apns.received).toMatchObject([
    {
      deviceToken: sent.deviceToken,
      headers: {
        'apns-id': sent.id,
        'apns-topic': TOPICS.mail,
        'apns-push-type': 'alert',
        'apns-priority': '10',
        'apns-expiration': String(Date.UTC(2026, 11, 1, 10) / 1000),
        'apns-collapse-id': 'abc',
      },
      payload: JSON.parse(sent.payload),
    },
  ]);
});

test('sends each app with its topic, over one connection per environment', async () => {
  await provider.send(push({ app: 'mail' }));
  await provider.send(push({ app: 'calendar' }));
  await provider.send(push({ app: 'admin' }));
  expect(apns.received.map(({ headers }) => headers['apns-topic'])).toEqual(Object.values(TOPICS));
  expect(apns.connections()).toBe(1);
});

describe('retries', () => {
  test.each([
    [{ status: 429, reason: 'TooManyRequests', retryAfter: 7 }, 'TooManyRequests', 7_000],
    [{ status: 503, reason: 'ServiceUnavailable' }, 'ServiceUnavailable', null],
    [{ status: 500, reason: 'InternalServerError' }, expect.any(String), null],
    ['reset' as const, expect.any(String), null],
    ['stall' as const, 'apn write timeout', null],
  ])('after %o', async (answer, reason, afterMs) => {
    apns.script(answer);
    expect(await provider.send(push())).toEqual({ status: 'retry', reason, afterMs });
    expect(apns.received).toHaveLength(1);
    expect(await provider.send(push())).toEqual({ status: 'sent' });
  });

  test('reconnects after GOAWAY', async () => {
    expect(await provider.send(push())).toEqual({ status: 'sent' });
    apns.script('goaway');
    expect(await provider.send(push())).toMatchObject({ status: 'retry' });
    expect(await provider.send(push())).toEqual({ status: 'sent' });
    expect(apns.connections()).toBe(2);
  });

  test('replaces a connection after three requests without a response', async () => {
    apns.script('stall', 'stall', 'stall');
    for (let i = 0; i < 3; i++) await provider.send(push());
    expect(apns.connections()).toBe(1);
    expect(await provider.send(push())).toEqual({ status: 'sent' });
    expect(apns.connections()).toBe(2);
    expect(log.lines).toContainEqual(expect.objectContaining({ level: 'warn' }));
  });

  test('if the service cannot be reached', async () => {
    await apns[Symbol.asyncDispose]();
    expect(await provider.send(push())).toMatchObject({ status: 'retry', afterMs: null });
    apns = await openApnsServer();
  });

  test('sends two hundred concurrent pushes over a connection that allows one stream', async () => {
    await using narrow = await openApnsServer({ streams: 1 });
    const narrowProvider = createTestProvider(narrow, { requestTimeoutMs: 10_000 });
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => narrowProvider.send(push())));
    await narrowProvider.close();
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['sent']));
    expect(new Set(narrow.received.map(({ headers }) => headers['apns-id'])).size).toBe(200);
  });
});

describe('errors of a device', () => {
  test('reports an unregistered token, and since when it is invalid', async () => {
    apns.script({ status: 410, reason: 'Unregistered', timestamp: Date.parse('2026-11-01T00:00:00Z') });
    expect(await provider.send(push())).toEqual({
      status: 'gone',
      reason: 'Unregistered',
      since: new Date('2026-11-01T00:00:00Z'),
    });
  });

  test('reports a token of another environment', async () => {
    apns.script({ status: 400, reason: 'BadDeviceToken' });
    expect(await provider.send(push())).toEqual({ status: 'gone', reason: 'BadDeviceToken', since: null });
  });

  test('refuses a device of another topic; five in a row pause that app only', async () => {
    apns.answerAll(() => ({ status: 400, reason: 'DeviceTokenNotForTopic' }));
    for (let i = 0; i < 5; i++) {
      expect(await provider.send(push())).toEqual({ status: 'refused', reason: 'DeviceTokenNotForTopic' });
    }
    apns.answerAll(() => ({ status: 200 }));
    expect(await provider.send(push())).toEqual({ status: 'retry', reason: 'held', afterMs: 300_000 });
    expect(await provider.send(push({ app: 'admin' }))).toEqual({ status: 'sent' });
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    now = new Date(now.getTime() + 300_000);
    expect(await provider.send(push())).toEqual({ status: 'sent' });
  });
});

test('rejected credentials pause their environment, keep its devices, and log one error', async () => {
  apns.script({ status: 403, reason: 'InvalidProviderToken' });
  expect(await provider.send(push())).toEqual({
    status: 'retry',
    reason: 'InvalidProviderToken',
    afterMs: 300_000,
  });
  expect(await provider.send(push({ app: 'admin' }))).toMatchObject({ status: 'retry', reason: 'held' });
  expect(await provider.send(push({ environment: 'sandbox' }))).toEqual({ status: 'sent' });
  expect(apns.received).toHaveLength(2);
  expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  now = new Date(now.getTime() + 300_000);
  expect(await provider.send(push())).toEqual({ status: 'sent' });
});

test('a permanent error is refused', async () => {
  expect(
    await provider.send(push({ payload: JSON.stringify({ aps: {}, text: 'x'.repeat(4_100) }) })),
  ).toEqual({ status: 'refused', reason: 'PayloadTooLarge' });
});

test('never logs a device token', async () => {
  const sent = push();
  apns.script({ status: 403, reason: 'InvalidProviderToken' });
  await provider.send(sent);
  expect(JSON.stringify(log.lines)).not.toContain(sent.deviceToken);
});
