/**
 * Two nodes that run the same jobs concurrently complete each exactly once: AI commands, traders' messages, mail, notifications
 * and reminders.
 */
import {
  createModelAssistant,
  notify,
  queueDueReminders,
  startWorkers,
  withTransaction,
} from '@firmdesk/domain';
import {
  createEvents,
  createTicket,
  createToken,
  type FakeOpenAiServer,
  startFakeOpenAiServer,
  unique,
} from '@firmdesk/testing';
import {
  type ApnsServer,
  createTestProvider,
  openApnsServer,
  openTestGateway,
  registerPhone,
  type TestGateway,
} from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createFixtures, type Fixtures } from '../fixtures.ts';

const EACH = 15;

let apns: ApnsServer;
let model: FakeOpenAiServer;
let gateway: TestGateway;
let otherNode: Awaited<ReturnType<TestGateway['secondNode']>>;
let home: Fixtures;
let token: string;
let phone: { deviceToken: string };
let stop: () => Promise<void>;

beforeAll(async () => {
  apns = await openApnsServer();
  model = await startFakeOpenAiServer();
  const assistant = createModelAssistant({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' });
  const push = createTestProvider(apns, { now: () => gateway.clock.now() });
  gateway = await openTestGateway(inject('postgresUrl'), { assistant, push });
  otherNode = await gateway.secondNode();
  home = await createFixtures(gateway);
  token = (await createToken(gateway.services, { user: home.owner, workspace: home.home.slug })).text;
  phone = await registerPhone(gateway, home.owner, home.home.slug, 'admin');
  const workers = [await startWorkers(gateway.services), await startWorkers(otherNode.services)];
  stop = async () => void (await Promise.all(workers.map((worker) => worker.stop())));
});
afterAll(async () => {
  await stop();
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await apns[Symbol.asyncDispose]();
});

/** Returns the subjects of the pushes of a type that the phone received. */
function sentOf(type: string, about: string): string[] {
  return apns.received
    .filter(({ deviceToken, payload }) => deviceToken === phone.deviceToken && payload.type === type)
    .map(({ payload }) => payload[about] as string);
}

const numbered = Array.from({ length: EACH }, (_, i) => i);

test('each AI command is answered once, each message, notification and reminder is sent once', async () => {
  model.behave({ kind: 'reply', words: ['It is', ' on', ' its way.'], pauseMs: 5 });
  const tickets = await Promise.all(
    numbered.map(() =>
      createTicket(gateway.services, {
        firm: home.home,
        trader: { id: home.trader.text, email: '' },
        status: 'awaiting_admin',
      }),
    ),
  );
  const starts = new Date(gateway.clock.now().getTime() + 601_000).toISOString();
  const events = await createEvents(
    gateway.services,
    numbered.map((i) => ({
      calendar_id: home.calendar.number!,
      title: `Review ${i}`,
      starts_at: starts,
      ends_at: starts,
      reminders: [{ user_id: home.owner.id, minutes_before: 10, channel: 'push' }],
    })),
  );
  // Ten minutes before the events.
  gateway.clock.advance(2_000);
  const mail = numbered.map(async (i) => {
    const answer = await (i % 2 ? gateway : otherNode).rpc('mail.deliver', {
      token,
      body: {
        mailbox: home.mailboxEmail.text,
        encoding: 'text',
        raw: `From: ann@elsewhere.example\r\nMessage-ID: <${unique('m')}@x.example>\r\nSubject: ${i}\r\n\r\nHello`,
      },
    });
    return answer.data.id as string;
  });
  const notifications = numbered.map(async () => {
    const { notifications } = await withTransaction(gateway.services, (ctx) =>
      notify(ctx, {
        workspace: home.home.slug,
        kind: 'payout_requested',
        title: 'A payout',
        action_url: '/payouts',
        to: [home.owner.email],
      }),
    );
    return notifications[0]!.id;
  });
  const commands = tickets.map((ticket, i) =>
    (i % 2 ? gateway : otherNode).request(`POST /v1/admin/tickets/${ticket}/ai`, {
      token,
      body: { instruction: 'Tell when it comes.' },
    }),
  );
  const reminding = [gateway, otherNode, gateway, otherNode].map(({ services }) =>
    queueDueReminders(services),
  );
  const [messageIds, notificationIds] = [await Promise.all(mail), await Promise.all(notifications)];
  for (const { status, text } of await Promise.all(commands)) expect(status, text).toBe(201);
  await Promise.all(reminding);

  await expect.poll(unsettled, { timeout: 60_000 }).toBe(0);
  expect(sentOf('mail.message', 'message_id').sort()).toEqual(messageIds.sort());
  expect(
    sentOf('admin.notification', 'notification_id')
      .filter((id) => notificationIds.includes(id))
      .sort(),
  ).toEqual(notificationIds.sort());
  expect(sentOf('calendar.reminder', 'event_id').sort()).toEqual(events.map(String).sort());
  const allNotifications = sentOf('admin.notification', 'notification_id');
  expect(new Set(allNotifications).size).toBe(allNotifications.length);
  expect(model.requests.length).toBe(EACH);
  const { rows } = await gateway.services.pool.query<{ ticket_id: string; replies: number }>(
    `select ticket_id, count(*)::int as replies from ticket_messages where from_kind = 'ai' and ticket_id = any($1) group by 1`,
    [tickets],
  );
  expect(rows.map(({ ticket_id }) => ticket_id).sort()).toEqual([...tickets].sort());
  expect(rows.filter(({ replies }) => replies !== 1)).toEqual([]);
  for (const { log } of [gateway, otherNode])
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

/** Returns the number of waiting or running jobs, unfinished replies and unsent pushes. */
async function unsettled(): Promise<number> {
  const { rows } = await gateway.services.pool.query<{ left: number }>(
    `select (select count(*) from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts)::int
       + (select count(*) from job_requests)::int
       + (select count(*) from ticket_messages where streaming)::int
       + (select count(*) from push_outbox where state = 'waiting')::int as left`,
  );
  return rows[0]!.left;
}
