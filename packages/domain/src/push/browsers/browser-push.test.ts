import { createECDH, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { openSealed, openTestBrowserPush, type Subscription } from '@firmdesk/testing/gateway';
import { afterAll, expect, test } from 'vitest';
import { ReloadableBrowserPush } from './browser-push.ts';
import { generateVapidKey } from './vapid.ts';

let now = new Date('2026-01-01T10:00:00Z');
const { webPush, browserPush } = await openTestBrowserPush({ now: () => now }, { requestTimeoutMs: 300 });
afterAll(() => webPush[Symbol.asyncDispose]());

const pushTo = ({ endpoint, keys }: Subscription, payload = '{}', account = 'usr_1') => ({
  id: randomUUID(),
  app: 'browser' as const,
  account,
  environment: 'production' as const,
  deviceToken: endpoint,
  keys,
  payload,
  expiresAt: new Date(now.getTime() + 3_600_000),
  collapseId: 'an id that is longer than a topic may be',
});

test('the stand-in decrypts the example of RFC 8291', () => {
  const receiver = createECDH('prime256v1');
  receiver.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url');
  const message =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url');
  expect(openSealed(Buffer.from(message, 'base64url'), receiver, auth)).toBe(
    'When I grow up, I want to be a watermelon',
  );
});

test('sends a message that only the browser reads, signed for its push service', async () => {
  const browser = webPush.subscribe();
  const payload = JSON.stringify({ text: 'Ünïcode 👋'.repeat(260) });
  expect(await browserPush.send(pushTo(browser, payload))).toEqual({ status: 'sent' });
  const [received] = webPush.received.splice(0);
  expect(received!.payload).toEqual(JSON.parse(payload));
  expect(received!.bytes).toBe(Buffer.byteLength(payload) + 103);
  expect(received!.headers).toMatchObject({
    ttl: '3600',
    urgency: 'high',
    'content-encoding': 'aes128gcm',
    topic: expect.stringMatching(/^[\w-]{32}$/),
  });
  expect(received!.claims).toEqual({
    aud: webPush.url,
    sub: 'https://desk.example.com',
    exp: now.getTime() / 1000 + 43_200,
  });
});

test.each([
  [410, {}, { status: 'gone', reason: 'gone_subscription', since: null }],
  [404, {}, { status: 'gone', reason: 'gone_subscription', since: null }],
  [429, { 'retry-after': '90' }, { status: 'retry', reason: 'too_many', afterMs: 90_000 }],
  [503, {}, { status: 'retry', reason: 'unavailable', afterMs: null }],
  [403, {}, { status: 'refused', reason: 'unauthorized' }],
  [413, {}, { status: 'refused', reason: 'rejected' }],
  [307, { location: 'http://127.0.0.1/' }, { status: 'refused', reason: 'rejected' }],
])('an answer of %d with %j', async (status, headers, outcome) => {
  const browser = webPush.subscribe();
  webPush.behave(browser, { status, headers });
  expect(await browserPush.send(pushTo(browser))).toEqual(outcome);
});

test('a push service that does not answer is left alone for a minute, and others are not', async () => {
  // Accepts connections, and says nothing.
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const hanging = { ...webPush.subscribe(), endpoint: `http://127.0.0.1:${port}/one` };
  const sent = await Promise.all(Array.from({ length: 5 }, () => browserPush.send(pushTo(hanging))));
  expect(sent).toEqual(Array(5).fill({ status: 'retry', reason: 'no_answer', afterMs: null }));
  expect(await browserPush.send(pushTo(hanging))).toEqual({
    status: 'retry',
    reason: 'held',
    afterMs: 60_000,
  });
  expect(await browserPush.send(pushTo(webPush.subscribe()))).toEqual({ status: 'sent' });
  now = new Date(now.getTime() + 60_000);
  expect(await browserPush.send(pushTo(hanging))).toMatchObject({ reason: 'no_answer' });
  silent.close();
});

test('servers that do not answer hold few pushes: others are tried later at once', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const hanging = { ...webPush.subscribe(), endpoint: `http://127.0.0.1:${port}/one` };
  const sent = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => browserPush.send(pushTo(hanging, '{}', `usr_${i % 100}`))),
  );
  expect(sent.filter((outcome) => outcome.status === 'retry' && outcome.reason === 'busy')).toHaveLength(500);
  expect(await browserPush.send(pushTo(webPush.subscribe()))).toEqual({ status: 'sent' });
  silent.close();
});

test('an account takes a share of the requests, whatever it is pushed', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const hanging = { ...webPush.subscribe(), endpoint: `http://127.0.0.1:${port}/one` };
  const reasons: string[] = [];
  const sent = Array.from({ length: 150 }, async () => {
    const outcome = await browserPush.send(pushTo(hanging, '{}', 'usr_2'));
    reasons.push('reason' in outcome ? outcome.reason : outcome.status);
  });
  expect(await browserPush.send(pushTo(webPush.subscribe()))).toEqual({ status: 'sent' });
  expect(new Set(reasons)).toEqual(new Set(['busy']));
  await Promise.all(sent);
  expect(reasons.filter((reason) => reason === 'no_answer')).toHaveLength(20);
  silent.close();
});

test('a name that leads to a private address is not connected to', async () => {
  const key = generateVapidKey();
  let connections = 0;
  const inside = createServer(() => connections++).listen(0, '127.0.0.1');
  await once(inside, 'listening');
  const { port } = inside.address() as { port: number };
  const guarded = await ReloadableBrowserPush.open({
    readKey: async () => key,
    publicUrl: () => '',
    clock: { now: () => now },
    lookup: ((_name: string, _options: unknown, found: (...args: unknown[]) => void) =>
      found(null, [{ address: '127.0.0.1', family: 4 }])) as never,
  });
  const browser = { ...webPush.subscribe(), endpoint: `https://push.example.com:${port}/one` };
  expect(await guarded.send(pushTo(browser))).toMatchObject({ status: 'retry', reason: 'no_answer' });
  expect(connections).toBe(0);
  inside.close();
});
