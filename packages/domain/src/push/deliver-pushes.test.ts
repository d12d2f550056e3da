import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type DeviceApp, PLATFORM } from '@firmdesk/contract';
import {
  createMailbox,
  createMailMessage,
  createStaff,
  createUser,
  createWorkspace,
  dismiss,
  runPushJobs,
  type TestMailbox,
  type TestUser,
  unique,
} from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  type Phone,
  registerPhone,
  suitePushGateway,
  TOPICS,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { sendPushes, withTransaction } from '../index.ts';
import { queueNotificationPushes } from './queue-pushes.ts';

const gateway = await suitePushGateway();
const platform = await tokenOf(gateway, await createStaff(gateway.services, 'all'), PLATFORM);
let firm: Firm;
let reader: TestUser;
let mailbox: TestMailbox;

beforeEach(async () => {
  firm = await createWorkspace(gateway.services);
  reader = await createUser(gateway.services, { firm });
  mailbox = await createMailbox(gateway.services, { firm, writes: [reader] });
});

const phone = (app: DeviceApp, options?: Parameters<typeof registerPhone>[4]) =>
  registerPhone(gateway, reader, firm.slug, app, options);
const receivedBy = ({ deviceToken }: Phone) =>
  gateway.apns.received.filter((received) => received.deviceToken === deviceToken);
const sql = (text: string, values: unknown[] = []) => gateway.services.pool.query(text, values);

interface MailOptions {
  to?: TestMailbox;
  folder?: string;
  from?: string;
  subject?: string;
}

/** Delivers a message with `mail.deliver`. Returns its id and thread. */
async function deliver({ to = mailbox, folder = 'inbox', from, subject = 'Numbers' }: MailOptions = {}) {
  const answer = await gateway.rpc('mail.deliver', {
    token: platform,
    body: {
      mailbox: to.email,
      encoding: 'text',
      folder,
      raw: `From: ${from ?? 'Ann <ann@elsewhere.example>'}\r\nTo: ${to.email}\r\nSubject: ${subject}\r\nMessage-ID: <${unique('m')}@x.example>\r\n\r\nHello`,
    },
  });
  expect(answer.code).toBeNull();
  return answer.data as { id: string; thread_id: number };
}

describe('mail', () => {
  test('a message in an inbox is pushed to its reader, with the fields of the contract', async () => {
    const mine = await phone('mail');
    await createMailMessage(gateway.services, { mailbox });
    const other = await createMailbox(gateway.services, { firm, reads: [reader] });
    await createMailMessage(gateway.services, { mailbox: other });
    await createMailMessage(gateway.services, { mailbox: other, folder: 'archive' });
    const { id, thread_id } = await deliver();
    await runPushJobs(gateway.services);
    const [received] = receivedBy(mine);
    expect(received!.payload).toEqual({
      aps: {
        alert: { title: 'Ann', body: 'Numbers' },
        badge: 3,
        sound: 'default',
        'thread-id': `mailbox-${mailbox.id}`,
      },
      type: 'mail.message',
      session: mine.session,
      user_id: reader.id,
      workspace: firm.slug,
      message_id: id,
      thread_id: String(thread_id),
      mailbox_id: String(mailbox.id),
    });
    const [row] = await gateway.outbox(mine.session);
    const week = Math.floor((gateway.clock.now().getTime() + 7 * 86_400_000) / 1000);
    expect(received!.headers).toMatchObject({
      'apns-id': row!.id,
      'apns-topic': TOPICS.mail,
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-expiration': String(week),
      'apns-collapse-id': row!.id,
    });
    expect(row).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('each account that registered a device token gets one push, however many sessions it has in the firm', async () => {
    const colleague = await createUser(gateway.services, { firm });
    await sql(
      `insert into mailbox_members (workspace_id, mailbox_id, user_id)
      select workspace_id, id, $2 from mailboxes where id = $1`,
      [mailbox.id, colleague.id],
    );
    const earlier = await phone('mail');
    const { deviceToken } = earlier;
    const mine = await phone('mail', { deviceToken });
    const other = await registerPhone(gateway, colleague, firm.slug, 'mail', { deviceToken });
    await deliver();
    await runPushJobs(gateway.services);
    const sessions = receivedBy(earlier).map(({ payload }) => [payload.session, payload.user_id]);
    expect(sessions.sort()).toEqual(
      [
        [mine.session, reader.id],
        [other.session, colleague.id],
      ].sort(),
    );
  });

  test('is pushed to mail and admin apps, and not to calendar apps', async () => {
    const [mail, admin, calendar] = [await phone('mail'), await phone('admin'), await phone('calendar')];
    await deliver();
    await runPushJobs(gateway.services);
    expect([mail, admin, calendar].map((each) => receivedBy(each).length)).toEqual([1, 1, 0]);
  });

  test.each(['spam', 'archive'])('a message in %s is not pushed', async (folder) => {
    const mine = await phone('mail');
    await deliver({ folder });
    await runPushJobs(gateway.services);
    expect(await gateway.outbox(mine.session)).toEqual([]);
  });

  test('a message that is delivered twice is pushed once', async () => {
    const mine = await phone('mail');
    const raw = `From: ann@elsewhere.example\r\nMessage-ID: <${unique('m')}@x.example>\r\n\r\nHello`;
    for (let i = 0; i < 2; i++) {
      await gateway.rpc('mail.deliver', {
        token: platform,
        body: { mailbox: mailbox.email, folder: 'inbox', encoding: 'text', raw },
      });
    }
    await runPushJobs(gateway.services);
    expect(receivedBy(mine)).toHaveLength(1);
  });

  test('is not pushed to the sender, muted readers, other users, tokens without the scope, or sessions of other firms', async () => {
    const muted = await createUser(gateway.services, { firm });
    const nonReader = await createUser(gateway.services, { firm });
    const other = await createWorkspace(gateway.services);
    await sql(
      `insert into mailbox_members (workspace_id, mailbox_id, user_id, notify)
      select workspace_id, id, $2, false from mailboxes where id = $1`,
      [mailbox.id, muted.id],
    );
    const sender = await createUser(gateway.services, { firm });
    await sql(
      `insert into mailbox_members (workspace_id, mailbox_id, user_id)
      select workspace_id, id, $2 from mailboxes where id = $1`,
      [mailbox.id, sender.id],
    );
    const silent = [
      await registerPhone(gateway, muted, firm.slug, 'mail'),
      await registerPhone(gateway, nonReader, firm.slug, 'mail'),
      await registerPhone(gateway, sender, firm.slug, 'mail'),
      await phone('mail', { scopes: ['mail:write', 'calendar:read'] }),
      await registerPhone(gateway, reader, other.slug, 'mail'),
    ];
    const mine = await phone('mail');
    await deliver({ from: `Me <${sender.email.toUpperCase()}>` });
    await runPushJobs(gateway.services);
    expect(silent.map((each) => receivedBy(each).length)).toEqual([0, 0, 0, 0, 0]);
    expect(receivedBy(mine)).toHaveLength(1);
  });

  test('shows neither sender nor subject if the firm chose pushes without content', async () => {
    const mine = await phone('mail');
    await sql(`update workspaces set push_content = 'none' where id = $1`, [firm.id]);
    await deliver({ subject: 'A secret' });
    await runPushJobs(gateway.services);
    const [received] = receivedBy(mine);
    expect(received!.payload.aps.alert).toEqual({ title: firm.name, body: 'You have a new message.' });
    expect(JSON.stringify(received!.payload)).not.toMatch(/secret|Ann/);
  });

  test.each([
    ['de', '(kein Betreff)'],
    ['pt-BR', '(sem assunto)'],
    ['xx', '(no subject)'],
  ])('uses the account’s language: %s', async (language, body) => {
    const mine = await phone('mail');
    await sql('update users set language = $2 where id = $1', [reader.id, language]);
    await deliver({ subject: '' });
    await runPushJobs(gateway.services);
    expect(receivedBy(mine)[0]!.payload.aps.alert.body).toBe(body);
  });

  test('cuts a long subject to a payload of 4,096 bytes', async () => {
    const mine = await phone('mail');
    const { id } = await deliver();
    await sql('update mail_messages set subject = $2 where id = $1', [id, '👩‍💻é'.repeat(2_000)]);
    await runPushJobs(gateway.services);
    const [received] = receivedBy(mine);
    expect(received!.answered).toEqual({ status: 200 });
    expect(received!.bytes).toBeLessThanOrEqual(4_096);
    expect(received!.payload.aps.alert.body).toMatch(/^(👩‍💻é)+(👩‍💻)?…$/u);
  });
});

describe('changes between queueing and sending', () => {
  const cases: [string, string, (me: Phone, message: string) => Promise<unknown>][] = [
    [
      'the token was revoked',
      'session_ended',
      (me) => sql('update tokens set revoked_at = now() where id = $1', [me.session]),
    ],
    [
      'the token lost its scope',
      'no_scope',
      (me) => sql(`update tokens set scopes = '{calendar:read}' where id = $1`, [me.session]),
    ],
    [
      'the device is no longer registered',
      'no_device',
      (me) => sql('delete from devices where token_id = $1', [me.session]),
    ],
    [
      'the reader lost access to the mailbox',
      'not_readable',
      () => sql('delete from mailbox_members where mailbox_id = $1', [mailbox.id]),
    ],
    [
      'the reader muted the mailbox',
      'muted',
      () => sql('update mailbox_members set notify = false where mailbox_id = $1', [mailbox.id]),
    ],
    [
      'the message left the inbox',
      'not_in_inbox',
      (_me, id) => sql(`update mail_messages set folder = 'spam' where id = $1`, [id]),
    ],
    [
      'the message was deleted',
      'not_readable',
      (_me, id) => sql('delete from mail_messages where id = $1', [id]),
    ],
  ];

  test.each(cases)('drops the push if %s', async (_, reason, change) => {
    const mine = await phone('mail');
    // A failed attempt leaves the row waiting.
    gateway.apns.script({ status: 503, reason: 'ServiceUnavailable' });
    const { id } = await deliver();
    await runPushJobs(gateway.services);
    expect(await gateway.outbox(mine.session)).toMatchObject([
      { state: 'waiting', reason: 'ServiceUnavailable' },
    ]);
    await change(mine, id);
    gateway.clock.advance(10_000);
    await sendPushes(gateway.services);
    expect(await gateway.outbox(mine.session)).toMatchObject([{ state: 'dropped', reason }]);
    expect(receivedBy(mine)).toHaveLength(1);
  });
});

describe('provider responses', () => {
  test('a transient error is retried with the same apns-id and apns-collapse-id, not before Retry-After', async () => {
    const mine = await phone('mail');
    gateway.apns.script({ status: 429, reason: 'TooManyRequests', retryAfter: 90 }, 'reset');
    await deliver();
    await runPushJobs(gateway.services);
    gateway.clock.advance(89_000);
    await sendPushes(gateway.services);
    expect(receivedBy(mine)).toHaveLength(1);
    gateway.clock.advance(1_000);
    await sendPushes(gateway.services);
    gateway.clock.advance(60_000);
    await sendPushes(gateway.services);
    const received = receivedBy(mine);
    expect(received.map(({ answered }) => answered)).toEqual([
      { status: 429, reason: 'TooManyRequests', retryAfter: 90 },
      'reset',
      { status: 200 },
    ]);
    const [row] = await gateway.outbox(mine.session);
    for (const header of ['apns-id', 'apns-collapse-id'])
      expect(received.map(({ headers }) => headers[header])).toEqual([row!.id, row!.id, row!.id]);
    expect(await gateway.outbox(mine.session)).toMatchObject([{ state: 'sent', attempts: 3 }]);
  });

  test('a push service that does not answer delays no push that is queued meanwhile', async () => {
    const stranger = await createUserWithToken(gateway);
    // Accepts connections, and says nothing.
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const { keys } = gateway.webPush.subscribe();
    const browser = { endpoint: `http://127.0.0.1:${port}/one`, keys };
    const { token } = stranger;
    expect((await gateway.rpc('devices.registerBrowser', { token, body: browser })).code).toBeNull();
    expect((await gateway.rpc('devices.pushTest', { token, body: {} })).code).toBeNull();
    const asking = once(silent, 'connection');
    const first = runPushJobs(gateway.services);
    const [asked] = (await asking) as [Socket];
    asked.resume();
    const mine = await phone('mail');
    await deliver();
    await runPushJobs(gateway.services);
    await expect.poll(() => receivedBy(mine).length, { timeout: 30_000 }).toBe(1);
    expect(asked.readyState, 'it is still waited for').toBe('open');
    asked.destroy();
    await first;
    silent.close();
  });

  test('a push is dropped after a week of errors', async () => {
    const mine = await phone('mail');
    gateway.apns.script({ status: 503, reason: 'ServiceUnavailable' });
    await deliver();
    await runPushJobs(gateway.services);
    gateway.clock.advance(7 * 86_400_000);
    await sendPushes(gateway.services);
    expect(await gateway.outbox(mine.session)).toMatchObject([{ state: 'dropped', reason: 'too_late' }]);
  });

  test('410 removes an older registration, and keeps one that was renewed since', async () => {
    const [old, renewed] = [await phone('mail'), await phone('admin')];
    const at = gateway.clock.now().getTime();
    gateway.apns.answerAll((token) => ({
      status: 410,
      reason: 'Unregistered',
      timestamp: token === old.deviceToken ? at + 1_000 : at - 1_000,
    }));
    await deliver();
    await runPushJobs(gateway.services);
    gateway.apns.answerAll(() => ({ status: 200 }));
    const { rows } = await sql('select token_id from devices where token_id = any($1)', [
      [old.session, renewed.session],
    ]);
    expect(rows).toEqual([{ token_id: renewed.session }]);
    for (const { session } of [old, renewed]) {
      expect(await gateway.outbox(session)).toMatchObject([{ state: 'refused', reason: 'Unregistered' }]);
    }
  });

  test('BadDeviceToken removes the registration', async () => {
    const mine = await phone('mail');
    gateway.apns.script({ status: 400, reason: 'BadDeviceToken' });
    await deliver();
    await runPushJobs(gateway.services);
    expect((await sql('select from devices where token_id = $1', [mine.session])).rows).toEqual([]);
  });
});

describe('notifications', () => {
  const raise = (body: Record<string, unknown> = {}) =>
    gateway.rpc('notifications.notify', {
      token: platform,
      body: {
        workspace: firm.slug,
        kind: 'payout_requested',
        title: 'A payout awaits review',
        body: 'Robin asks for $500.',
        action_url: '/payouts/17',
        ...body,
      },
    });
  let admin: TestUser;
  beforeEach(async () => {
    admin = await createUser(gateway.services, { firm, permissions: ['view_payouts'] });
  });

  test('are pushed to admin apps only, with the same texts as in the notification centre', async () => {
    const mine = await registerPhone(gateway, admin, firm.slug, 'admin');
    const mail = await registerPhone(gateway, admin, firm.slug, 'mail');
    const { data } = await raise();
    await runPushJobs(gateway.services);
    const [received] = receivedBy(mine);
    expect(received!.payload).toEqual({
      aps: { alert: { title: 'A payout awaits review', body: 'Robin asks for $500.' }, sound: 'default' },
      type: 'admin.notification',
      session: mine.session,
      user_id: admin.id,
      workspace: firm.slug,
      kind: 'payout_requested',
      notification_id: data.notifications[0].id,
      action_url: '/payouts/17',
    });
    const day = Math.floor((gateway.clock.now().getTime() + 86_400_000) / 1000);
    expect(received!.headers).toMatchObject({ 'apns-topic': TOPICS.admin, 'apns-expiration': String(day) });
    expect(receivedBy(mail)).toEqual([]);
  });

  test('for staff have the workspace `platform`', async () => {
    const staff = await createStaff(gateway.services, 'all');
    const mine = await registerPhone(gateway, staff, PLATFORM, 'admin');
    await raise({ workspace: PLATFORM, kind: 'deal_link_expired' });
    await runPushJobs(gateway.services);
    expect(receivedBy(mine)[0]!.payload).toMatchObject({ workspace: 'platform', kind: 'deal_link_expired' });
  });

  test.each([
    ['the administrator was dismissed', 'not_a_member', () => dismiss(gateway.services, admin)],
    [
      'the administrator became a trader',
      'no_admin',
      () => sql(`update memberships set role = 'trader' where user_id = $1`, [admin.id]),
    ],
    [
      'the administrator lost the permission',
      'no_permission',
      () => sql(`update memberships set permissions = '{}' where user_id = $1`, [admin.id]),
    ],
  ])('are dropped if %s', async (_, reason, change) => {
    const mine = await registerPhone(gateway, admin, firm.slug, 'admin');
    const { data } = await raise();
    const notifications = data.notifications.map(({ id }: { id: string }) => id);
    await withTransaction(gateway.services, (ctx) =>
      queueNotificationPushes(ctx, { workspace: firm.id, notifications }),
    );
    await change();
    await runPushJobs(gateway.services);
    expect(await gateway.outbox(mine.session)).toMatchObject([{ state: 'dropped', reason }]);
  });
});

describe('a test push', () => {
  test('is sent to the caller’s own devices, or to those of one app', async () => {
    const [mail, admin] = [await phone('mail'), await phone('admin', { scopes: [] })];
    const answer = await gateway.rpc('devices.pushTest', { token: mail.text, body: {} });
    expect(answer.data).toEqual({ object: 'push_test', devices: 2 });
    await runPushJobs(gateway.services);
    expect(receivedBy(mail)[0]!.payload).toEqual({
      aps: {
        alert: { title: 'Test notification', body: 'Notifications reach this device.' },
        sound: 'default',
      },
      type: 'test',
      session: mail.session,
    });
    await gateway.rpc('devices.pushTest', { token: mail.text, body: { app: 'admin' } });
    await runPushJobs(gateway.services);
    expect([receivedBy(mail).length, receivedBy(admin).length]).toEqual([1, 2]);
  });

  test('is not found without a device, or for another account’s session', async () => {
    const mine = await phone('mail');
    const { token: text } = await createUserWithToken(gateway, { firm });
    for (const body of [{}, { session: mine.session }]) {
      const answer = await gateway.rpc('devices.pushTest', { token: text, body });
      expect(answer.code).toBe('resource_not_found');
    }
  });
});
