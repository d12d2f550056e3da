import { createUser, createWorkspace } from '@firmdesk/testing';
import { type ApnsScript, type Phone, registerPhone, suitePushGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { sendPushes } from '../index.ts';
import { dropReasons } from './drop-reasons.ts';
import { reasonLabel } from './push-metrics.ts';

const gateway = await suitePushGateway();
let phone: Phone;
beforeEach(async () => {
  const firm = await createWorkspace(gateway.services);
  const user = await createUser(gateway.services, { firm });
  phone = await registerPhone(gateway, user, firm.slug, 'mail');
  gateway.apns.answerAll(() => ({ status: 200 }));
  gateway.apns.received.splice(0);
});

/** Inserts test pushes for the phone into the outbox. */
async function queue(count: number): Promise<void> {
  const now = gateway.clock.now().toISOString();
  const later = new Date(gateway.clock.now().getTime() + 3_600_000).toISOString();
  await gateway.services.pool.query(
    `insert into push_outbox (token_id, app, type, subject, due_at, expires_at, created_at)
     select $1, 'mail', 'test', gen_random_uuid()::text, $2, $3, $2 from generate_series(1, $4)`,
    [phone.session, now, later, count],
  );
}
async function sendWith(...answers: ApnsScript[]): Promise<void> {
  gateway.apns.script(...answers);
  await queue(answers.length);
  await sendPushes(gateway.services);
}
const states = async () =>
  Object.entries(
    Object.groupBy(await gateway.outbox(phone.session), ({ state, reason }) => `${state} ${reason}`),
  ).map(([stateAndReason, rows]) => [stateAndReason, rows!.length]);
const received = () => gateway.apns.received.filter(({ deviceToken }) => deviceToken === phone.deviceToken);
const idsReceived = () => received().map(({ headers }) => String(headers['apns-id']));
const metrics = async () => (await gateway.request('GET /metrics')).text;
const seriesValue = async (series: string) =>
  Number(
    (await metrics())
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1),
  );

describe('sending', () => {
  test('two concurrent workers send each push once', async () => {
    const otherNode = await gateway.secondNode();
    await queue(600);
    await Promise.all([sendPushes(gateway.services), sendPushes(otherNode.services)]);
    expect(await states()).toEqual([['sent null', 600]]);
    expect(idsReceived()).toHaveLength(600);
    expect(new Set(idsReceived()).size).toBe(600);
  });

  test('a call while a sender runs makes it run once more, and returns immediately', async () => {
    await queue(5);
    let second: Promise<void> | undefined;
    gateway.apns.answerAll(() => {
      second ??= queue(1).then(() => sendPushes(gateway.services));
      return { status: 200 };
    });
    await sendPushes(gateway.services);
    await second;
    await expect.poll(states).toEqual([['sent null', 6]]);
    expect(new Set(idsReceived()).size).toBe(6);
  });

  test('GOAWAY during a batch loses no push; pushes that were not accepted are sent again with the same apns-id', async () => {
    let requests = 0;
    gateway.apns.answerAll(() => (++requests === 60 || requests === 170 ? 'goaway' : { status: 200 }));
    await queue(400);
    for (let round = 0; round < 6; round++) {
      await sendPushes(gateway.services);
      gateway.clock.advance(60_000);
    }
    expect(await states()).toEqual([['sent null', 400]]);
    const rows = await gateway.outbox(phone.session);
    expect(new Set(idsReceived())).toEqual(new Set(rows.map(({ id }) => id)));
    expect(idsReceived().length).toBeGreaterThan(400);
  });
});

test('rejected credentials pause all pushes, remove no registration, and send them later', async () => {
  await sendWith({ status: 403, reason: 'InvalidProviderToken' });
  await queue(3);
  await sendPushes(gateway.services);
  expect(received()).toHaveLength(1);
  expect(await states()).toEqual(
    expect.arrayContaining([
      ['waiting InvalidProviderToken', 1],
      ['waiting held', 3],
    ]),
  );
  const paused = 'push_pause_seconds{environment="production",scope="credentials"}';
  expect(await seriesValue(paused)).toBe(300);
  expect(await seriesValue('push_pause_seconds{environment="sandbox",scope="credentials"}')).toBe(0);
  gateway.clock.advance(301_000);
  await sendPushes(gateway.services);
  gateway.clock.advance(301_000);
  await sendPushes(gateway.services);
  expect(await states()).toEqual([['sent null', 4]]);
  expect(await seriesValue(paused)).toBe(0);
});

test('metrics count results with a bounded number of labels, and contain no device token', async () => {
  const of = (result: string, reason: string) =>
    `push_sent_total{app="mail",environment="production",result="${result}",reason="${reason}"}`;
  const answered = 'push_send_duration_seconds_count{app="mail",environment="production"}';
  const seriesNames = ['delivered none', 'retried TooManyRequests', 'failed other', 'failed Unregistered'];
  const counts = () =>
    Promise.all(
      seriesNames.map(async (name) => (await seriesValue(of(...(name.split(' ') as [string, string])))) || 0),
    );
  const before = [await counts(), (await seriesValue(answered)) || 0] as const;
  await sendWith(
    { status: 200 },
    { status: 200 },
    { status: 429, reason: 'TooManyRequests', retryAfter: 600 },
    { status: 400, reason: `No such phone: ${phone.deviceToken}` },
  );
  await sendWith({ status: 410, reason: 'Unregistered', timestamp: gateway.clock.now().getTime() + 1_000 });
  expect((await counts()).map((count, index) => count - before[0][index]!)).toEqual([2, 1, 1, 1]);
  expect((await seriesValue(answered)) - before[1]).toBe(5);
  expect(await seriesValue('push_in_flight')).toBe(0);
  // The device is no longer registered.
  const noDevice = 'push_sent_total{app="mail",environment="unknown",result="dropped",reason="no_device"}';
  const dropped = (await seriesValue(noDevice)) || 0;
  await queue(2);
  await sendPushes(gateway.services);
  expect((await seriesValue(noDevice)) - dropped).toBe(2);
  expect(await metrics()).not.toContain(phone.deviceToken);
  expect(await metrics()).not.toContain(phone.session);
  expect(JSON.stringify(gateway.log.lines)).not.toContain(phone.deviceToken);
});

test.each([
  [null, 'none'],
  ['TooManyRequests', 'TooManyRequests'],
  ['muted', 'muted'],
  ['apn write timeout', 'no_answer'],
  ['No such phone: 0123', 'other'],
])('the label of the reason %j is %s', (reason, label) => expect(reasonLabel(reason)).toBe(label));

test.each(dropReasons)('the label of the drop reason %s is the reason itself', (reason) =>
  expect(reasonLabel(reason)).toBe(reason),
);

test('push_in_flight counts requests without a response', async () => {
  let release!: () => void;
  const response = new Promise<void>((resolve) => {
    release = resolve;
  });
  const measured = gateway.services.pushMetrics.measure('mail', 'sandbox', () => response);
  expect(await seriesValue('push_in_flight')).toBe(1);
  release();
  await measured;
  expect(await seriesValue('push_in_flight')).toBe(0);
});
