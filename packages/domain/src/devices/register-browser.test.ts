import { MAX_BROWSERS } from '@firmdesk/contract';
import { createToken, createUser, dismiss, runPushJobs, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  type Subscription,
  suitePushGateway,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { sendPushes } from '../index.ts';

const gateway = await suitePushGateway();
const { services, webPush } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;
let session: string;

/** Opens a session of the user in a browser. */
const signIn = async (of = user) =>
  createToken(services, { user: of, workspace: firm.slug, kind: 'device', createdAt: gateway.clock.now() });

beforeEach(async () => {
  ({ firm, user } = await createUserWithToken(gateway, { permissions: ['view_payouts', 'view_tickets'] }));
  ({ id: session, text: token } = await signIn());
  webPush.received.splice(0);
});

const call = (name: string, body: object, as = token) => gateway.rpc(name, { token: as, body });
const register = async (subscription: Subscription, as = token) => {
  const answer = await call('devices.registerBrowser', { ...subscription, timezone: 'Europe/Berlin' }, as);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const raise = async (title = 'A payout') => {
  const body = { workspace: firm.slug, kind: 'payout_requested', title, action_url: '/payouts/1' };
  expect((await call('notifications.notify', body)).code).toBeNull();
  await runPushJobs(services);
};
const listed = async (as = token) =>
  (await call('devices.list', {}, as)).data.map((each: { app: string; session: string }) => each.session);

test('a browser that opts in gets what the account’s phones would get, also as a test', async () => {
  expect((await call('devices.browserKey', {})).data.public_key).toMatch(/^[\w-]{87}$/);
  const browser = webPush.subscribe();
  expect(await register(browser)).toMatchObject({ app: 'browser', session, current: true });
  await raise();
  await call('devices.pushTest', { app: 'browser', session });
  await runPushJobs(services);
  const [notification, ...others] = webPush.received.splice(0);
  expect(others.map(({ payload }) => payload.type)).toEqual(['test']);
  expect(notification).toMatchObject({
    endpoint: browser.endpoint,
    payload: {
      aps: { alert: { title: 'A payout', body: '' } },
      type: 'admin.notification',
      session,
      user_id: user.id,
      workspace: firm.slug,
      kind: 'payout_requested',
      action_url: '/payouts/1',
    },
  });
  // What is muted is not pushed, neither to phones nor here.
  await call('notifications.mute', { kind: 'payout_requested', muted: true });
  await raise();
  expect(webPush.received).toEqual([]);
  expect(await listed()).toEqual([session]);
  await call('devices.remove', { app: 'browser', session });
  expect(await listed()).toEqual([]);
  expect((await call('devices.remove', { app: 'browser', session })).code).toBe('resource_not_found');
});

test('a later subscription replaces that of the session, and a browser that signs in again is pushed to once', async () => {
  const [first, second] = [webPush.subscribe(), webPush.subscribe()];
  await register(first);
  await register(second);
  const again = await signIn();
  await register(second, again.text);
  await raise();
  expect(webPush.received.map(({ endpoint, payload }) => [endpoint, payload.session])).toEqual([
    [second.endpoint, again.id],
  ]);
});

describe('pushes to a browser end', () => {
  const endings: [string, (browser: Subscription) => Promise<unknown>][] = [
    ['when its session signs out', () => call('sessions.signOut', {})],
    [
      'when another session ends it',
      async () => call('sessions.end', { id: session }, (await signIn()).text),
    ],
    ['when the member is dismissed', () => dismiss(services, user)],
    [
      'when the session expires',
      () =>
        services.pool.query('update tokens set expires_at = $2 where id = $1', [
          session,
          gateway.clock.now(),
        ]),
    ],
    [
      'when the push service has ended the subscription (410)',
      async (browser) => {
        webPush.behave(browser, { status: 410 });
        await raise();
        webPush.behave(browser, { status: 201 });
      },
    ],
  ];
  test.each(endings)('%s', async (_name, end) => {
    const browser = webPush.subscribe();
    await register(browser);
    const { token: colleague } = await createUserWithToken(gateway, { firm, permissions: ['view_payouts'] });
    await end(browser);
    const before = webPush.attempts(browser);
    const body = { workspace: firm.slug, kind: 'payout_requested', title: 'Later', action_url: '/payouts' };
    expect((await call('notifications.notify', body, colleague)).code).toBeNull();
    await runPushJobs(services);
    expect(webPush.attempts(browser)).toBe(before);
  });
});

test('a push that a service does not take is sent later, once', async () => {
  const browser = webPush.subscribe();
  await register(browser);
  webPush.behave(browser, { status: 429, headers: { 'retry-after': '120' } });
  await raise();
  webPush.behave(browser, { status: 201 });
  gateway.clock.advance(119_000);
  await sendPushes(services);
  expect(webPush.received).toEqual([]);
  gateway.clock.advance(2_000);
  await sendPushes(services);
  await sendPushes(services);
  expect(webPush.received).toHaveLength(1);
  expect(await gateway.outbox(session)).toMatchObject([{ state: 'sent', attempts: 2 }]);
});

test('an account has at most 20 browsers: the one seen the longest ago ends', async () => {
  const first = await signIn();
  await register(webPush.subscribe(), first.text);
  for (let i = 0; i < MAX_BROWSERS; i++) {
    gateway.clock.advance(1_000);
    await register(webPush.subscribe(), (await signIn()).text);
  }
  const sessions = await listed();
  expect(sessions).toHaveLength(MAX_BROWSERS);
  expect(sessions).not.toContain(first.id);
});

test('registrations at once do not pass that bound', async () => {
  const sessions = await Promise.all(Array.from({ length: MAX_BROWSERS + 6 }, () => signIn()));
  await Promise.all(sessions.slice(0, MAX_BROWSERS).map(({ text }) => register(webPush.subscribe(), text)));
  await Promise.all(sessions.slice(MAX_BROWSERS).map(({ text }) => register(webPush.subscribe(), text)));
  expect(await listed()).toHaveLength(MAX_BROWSERS);
});

test('of others, a registration looks as if it did not exist', async () => {
  await register(webPush.subscribe());
  const other = await createUser(services, { firm });
  const { text } = await signIn(other);
  expect(await listed(text)).toEqual([]);
  expect((await call('devices.remove', { app: 'browser', session }, text)).code).toBe('resource_not_found');
});

test('refuses subscriptions to which nothing can be sent', async () => {
  const { endpoint, keys } = webPush.subscribe();
  const offCurve = Buffer.alloc(65, 1).toString('base64url');
  const cases: [string, object][] = [
    ['endpoint', { endpoint: 'no url', keys }],
    ['endpoint', { endpoint: 'http://push.example.com/1', keys }],
    ['endpoint', { endpoint: 'https://10.0.0.1/1', keys }],
    ['endpoint', { endpoint: 'https://[::ffff:127.0.0.1]/1', keys }],
    ['endpoint', { endpoint: 'https://me:secret@push.example.com/1', keys }],
    ['endpoint', { endpoint: `https://push.example.com/${'x'.repeat(2_000)}`, keys }],
    ['keys.p256dh', { endpoint, keys: { ...keys, p256dh: offCurve } }],
    ['keys.p256dh', { endpoint, keys: { ...keys, p256dh: 'AA' } }],
    ['keys.auth', { endpoint, keys: { ...keys, auth: `${keys.auth}A` } }],
  ];
  for (const [field, input] of cases) {
    const { code, fields, text } = await call('devices.registerBrowser', input);
    expect([code, fields?.[0]?.path], text).toEqual(['validation_failed', field]);
    expect(text).not.toContain(keys.auth);
  }
  expect(await listed()).toEqual([]);
});
