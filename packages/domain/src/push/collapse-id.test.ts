import { PLATFORM } from '@firmdesk/contract';
import {
  createCalendar,
  createEvents,
  createMailbox,
  createMailMessage,
  createStaff,
  createUser,
  createWorkspace,
  runPushJobs,
  type TestUser,
  unique,
} from '@firmdesk/testing';
import { type Firm, registerPhone, suitePushGateway, tokenOf } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { queueDueReminders, sendPushes, withTransaction } from '../index.ts';
import { queueMailPushes } from './queue-pushes.ts';

const MINUTE = 60_000;

const gateway = await suitePushGateway();
const platform = await tokenOf(gateway, await createStaff(gateway.services, 'all'), PLATFORM);
let firm: Firm;
let user: TestUser;
beforeEach(async () => {
  firm = await createWorkspace(gateway.services);
  user = await createUser(gateway.services, { firm, permissions: ['view_payouts'] });
  gateway.apns.received.splice(0);
});

/** Returns the type and the collapse id of each push that was received. */
const collapseIds = () =>
  gateway.apns.received.map(({ payload, headers }) => ({
    type: String(payload.type),
    id: String(headers['apns-collapse-id']),
  }));
const countDistinct = (ids: readonly { id: string }[]) => new Set(ids.map(({ id }) => id)).size;

async function deliver(mailbox: string): Promise<void> {
  const raw = `From: ann@elsewhere.example\r\nMessage-ID: <${unique('m')}@x.example>\r\n\r\nHello`;
  const body = { mailbox, encoding: 'text', folder: 'inbox', raw };
  expect((await gateway.rpc('mail.deliver', { token: platform, body })).code).toBeNull();
}
async function notify(): Promise<void> {
  const body = {
    workspace: firm.slug,
    kind: 'payout_requested',
    title: 'A payout',
    action_url: '/payouts/1',
  };
  expect((await gateway.rpc('notifications.notify', { token: platform, body })).code).toBeNull();
}

test('every push has a collapse id of its own, of at most 64 bytes', async () => {
  const admin = await registerPhone(gateway, user, firm.slug, 'admin');
  const mailbox = await createMailbox(gateway.services, { firm, writes: [user] });
  const calendar = await createCalendar(gateway.services, { firm, owner: user });
  const start = gateway.clock.now().getTime() + 11 * MINUTE;
  await createEvents(
    gateway.services,
    [1, 2].map(() => ({
      calendar_id: calendar,
      starts_at: new Date(start).toISOString(),
      ends_at: new Date(start + MINUTE).toISOString(),
      reminders: [{ user_id: user.id, minutes_before: 10, channel: 'push' }],
    })),
  );
  for (let i = 0; i < 2; i++) {
    await deliver(mailbox.email);
    await notify();
    await gateway.rpc('devices.pushTest', { token: admin.text, body: {} });
  }
  gateway.clock.advance(MINUTE);
  await queueDueReminders(gateway.services);
  await runPushJobs(gateway.services);

  const sent = collapseIds();
  const types = ['admin.notification', 'calendar.reminder', 'mail.message', 'test'];
  expect(sent.map(({ type }) => type).sort()).toEqual(types.flatMap((type) => [type, type]));
  expect(countDistinct(sent)).toBe(sent.length);
  for (const { id } of sent) expect(id).toMatch(/^[\w-]{1,64}$/);
});

test('a push whose row was lost in a restore is queued again with the same ids', async () => {
  await registerPhone(gateway, user, firm.slug, 'mail');
  const mailbox = await createMailbox(gateway.services, { firm, writes: [user] });
  const message = await createMailMessage(gateway.services, { mailbox });
  for (const _ of ['at first', 'after the restore']) {
    await gateway.services.pool.query('delete from push_outbox');
    await withTransaction(gateway.services, (ctx) =>
      queueMailPushes(ctx, { workspace: firm.id, message: message.id }),
    );
    await sendPushes(gateway.services);
  }
  const [first, again, ...others] = gateway.apns.received.map(({ headers }) => headers);
  expect(others).toEqual([]);
  expect(again!['apns-id']).toBe(first!['apns-id']);
  expect(again!['apns-collapse-id']).toBe(first!['apns-collapse-id']);
});

describe('reminders of one occurrence', () => {
  /** Sends two reminders of one event to each user. */
  async function remindTwice(people: readonly TestUser[]): Promise<void> {
    const calendar = await createCalendar(gateway.services, { firm, owner: user });
    for (const { id } of people) {
      if (id === user.id) continue;
      await gateway.services.pool.query(
        `insert into calendar_shares (workspace_id, calendar_id, user_id, level)
        select workspace_id, id, $2, 'read' from calendars where id = $1`,
        [calendar, id],
      );
    }
    const start = gateway.clock.now().getTime() + 31 * MINUTE;
    await createEvents(gateway.services, [
      {
        calendar_id: calendar,
        starts_at: new Date(start).toISOString(),
        ends_at: new Date(start + MINUTE).toISOString(),
        reminders: people.flatMap(({ id }) =>
          [30, 10].map((minutes_before) => ({ user_id: id, minutes_before, channel: 'push' })),
        ),
      },
    ]);
    for (const minutes of [1, 20]) {
      gateway.clock.advance(minutes * MINUTE);
      await queueDueReminders(gateway.services);
      await runPushJobs(gateway.services);
    }
  }

  test('share an id within a session, so that the later one replaces the earlier one', async () => {
    await registerPhone(gateway, user, firm.slug, 'calendar');
    await remindTwice([user]);
    expect(collapseIds()).toHaveLength(2);
    expect(countDistinct(collapseIds())).toBe(1);
  });

  test('have different ids for accounts that are signed in on the same phone', async () => {
    const colleague = await createUser(gateway.services, { firm });
    for (const person of [user, colleague]) await registerPhone(gateway, person, firm.slug, 'calendar');
    await remindTwice([user, colleague]);
    expect(collapseIds()).toHaveLength(4);
    expect(countDistinct(collapseIds())).toBe(2);
  });
});
