import { randomUUID } from 'node:crypto';
import { queueDueReminders } from '@firmdesk/domain';
import { runPushJobs } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { blocksOf, normalizeOutput } from './blocks.ts';
import { type DemoGateway, openDemo } from './demo.ts';

const MINUTE_MS = 60_000;
const payloads: string[] = [];
let demo: DemoGateway;

beforeAll(async () => {
  demo = await openDemo(inject('postgresUrl'), {
    push: {
      async send({ payload }) {
        payloads.push(payload);
        return { status: 'sent' };
      },
      pauses: () => [],
      async close() {},
    },
  });
});
afterAll(() => demo[Symbol.asyncDispose]());

async function rpc(name: string, body: unknown, token = demo.token): Promise<void> {
  const answer = await demo.rpc(name, { token, body });
  expect(answer.status, answer.text).toBeLessThan(300);
}

/** Causes each push, for Maya. */
const causes: Record<string, () => Promise<void>> = {
  async 'mail.message'() {
    const lines = [
      'From: =?utf-8?q?Anders_Nystr=C3=B6m?= <anders.nystrom@example.net>',
      'To: support@northgate.example',
      'Subject: Payout of Monday',
      `Message-ID: <${randomUUID()}@example.net>`,
      '',
      'Where is it?',
    ];
    await rpc('mail.deliver', {
      mailbox: 'support@northgate.example',
      encoding: 'text',
      raw: lines.join('\r\n'),
    });
  },
  async 'calendar.reminder'() {
    const { data: calendars } = await demo.rpc('calendar.calendars', { token: demo.token });
    const own = calendars.find(({ level }: { level: string }) => level === 'owner');
    const start = Math.ceil(demo.clock.now().getTime() / MINUTE_MS + 15) * MINUTE_MS;
    await rpc('calendar.create', {
      calendar_id: own.id,
      title: 'Handover',
      starts_at: new Date(start).toISOString(),
      ends_at: new Date(start + 15 * MINUTE_MS).toISOString(),
      reminders: [{ minutes_before: 10, channel: 'push' }],
    });
    demo.clock.advance(start - 10 * MINUTE_MS - demo.clock.now().getTime());
    await queueDueReminders(demo.services);
  },
  'admin.notification': () =>
    rpc('notifications.notify', {
      workspace: 'northgate',
      kind: 'payout_requested',
      title: 'Payout of $4,180.00 requested',
      body: 'Anders Nyström, Funded 100K',
      action_url: '/payouts/requested',
      to: ['maya@northgate.example'],
    }),
  test: () => rpc('devices.pushTest', { app: 'mail' }),
};

const blocks = (await blocksOf('apps/gateway/guides/push.md')).filter(({ mark }) =>
  mark.startsWith('payload='),
);

/** Ignores numbers that differ between runs. */
const shape = (text: string) =>
  normalizeOutput(text)
    .replace(/"badge":\d+/, '"badge":0')
    .replace(/"(mailbox-)?\d+"/g, '"$1n"');

test('the guide shows every type of notification', () => {
  expect(blocks.map(({ mark }) => mark.replace('payload=', '')).sort()).toEqual(Object.keys(causes).sort());
});

test.each(blocks)('$at equals the payload that a phone gets', async ({ mark, code }) => {
  const type = mark.replace('payload=', '');
  await causes[type]!();
  await runPushJobs(demo.services);
  const sent = payloads.splice(0).filter((payload) => JSON.parse(payload).type === type);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.map(shape), sent.join('\n')).toContain(shape(code));
});
