/** Calls with the token of an account that no longer belongs to the token's workspace. */
import { randomBytes } from 'node:crypto';
import { PLATFORM, permissions } from '@firmdesk/contract';
import {
  createCalendar,
  createEvents,
  createMailbox,
  createMailMessage,
  createStaff,
  createToken,
  createUser,
  createWorkspace,
  runPushJobs,
  type TestUser,
  unique,
} from '@firmdesk/testing';
import {
  type Answer,
  createUserWithToken,
  type Firm,
  openSocket,
  type RpcAnswer,
  registerPhone,
  suitePushGateway,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { queueDueReminders } from '../index.ts';

const gateway = await suitePushGateway();
const sql = (text: string, values: unknown[] = []) => gateway.services.pool.query(text, values);
const outcome = ({ status, body, ...answer }: Answer | RpcAnswer) => [
  status,
  ('code' in answer ? answer.code : body?.error?.code) ?? null,
];

/** The ways in which an account can lose its membership and keep its tokens. */
const losses: [state: string, endMembership: (user: TestUser) => Promise<unknown>][] = [
  ['inactive', ({ id }) => sql('update memberships set active = false where user_id = $1', [id])],
  ['deleted', ({ id }) => sql('delete from memberships where user_id = $1', [id])],
];

describe.each(losses)('a token whose membership is %s', (_state, endMembership) => {
  let firm: Firm;
  let user: TestUser;
  let token: string;
  let mailbox: { id: number; email: string };
  let calendar: number;

  beforeEach(async () => {
    ({ firm, user, token } = await createUserWithToken(gateway, { permissions: [...permissions] }));
    mailbox = await createMailbox(gateway.services, { firm, writes: [user] });
    calendar = await createCalendar(gateway.services, { firm, owner: user });
  });
  const rest = async (target: string, body?: object) =>
    outcome(await gateway.request(target, { token, ...(body && { body }) }));
  const rpc = async (name: string, body: object = {}) => outcome(await gateway.rpc(name, { token, body }));

  test('is refused administrative and firm-level calls: 403 admin_access_required', async () => {
    await endMembership(user);
    const refused = [403, 'admin_access_required'];
    expect(await rest('GET /v1/admin/tickets')).toEqual(refused);
    expect(await rest('GET /v1/affiliates/pre-registrations')).toEqual(refused);
    expect(await rpc('affiliates.list')).toEqual(refused);
    expect(await rpc('tickets.platform.open')).toEqual(refused);
    expect(await rpc('mail.deliver')).toEqual(refused);
    const notification = { workspace: firm.slug, kind: 'risk_flag_raised', title: 'T', action_url: '/x' };
    expect(await rpc('notifications.notify', notification)).toEqual(refused);
  });

  test('finds no mailbox: 404 resource_not_found', async () => {
    const message = await createMailMessage(gateway.services, { mailbox, folder: 'trash' });
    const draft = await createMailMessage(gateway.services, { mailbox, folder: 'drafts' });
    await endMembership(user);
    const notFound = [404, 'resource_not_found'];
    expect(await rest('POST /v1/me/mail/drafts', { address_id: mailbox.id })).toEqual(notFound);
    const over = { address_id: mailbox.id, draft_id: draft.id };
    expect(await rest('POST /v1/me/mail/drafts', over)).toEqual(notFound);
    expect(await rest(`POST /v1/me/mail/messages/${message.id}/restore`, {})).toEqual(notFound);
    expect(await rpc('mail.list', { address_id: mailbox.id, folder: 'trash' })).toEqual(notFound);
    expect(await rpc('mail.get', { id: message.id })).toEqual(notFound);
    expect(await rpc('mail.deleteDraft', { id: draft.id })).toEqual(notFound);
    expect((await gateway.rpc('mail.mailboxes', { token })).data).toEqual([]);
    const move = { ids: [message.id], folder: 'inbox' };
    expect((await gateway.rpc('mail.move', { token, body: move })).data).toMatchObject({ changed: 0 });
    const mark = { ids: [message.id], is_read: true };
    expect((await gateway.rpc('mail.mark', { token, body: mark })).data).toMatchObject({ changed: 0 });
  });

  test('opens no calendar: 403 calendar_not_permitted', async () => {
    const colleague = await createUser(gateway.services, { firm });
    await createCalendar(gateway.services, { firm, owner: colleague, shares: [{ user, level: 'write' }] });
    await endMembership(user);
    expect(await rest('GET /v1/me/calendar/events')).toEqual([403, 'calendar_not_permitted']);
    expect(await rpc('calendar.createCalendar', { name: 'Mine' })).toEqual([403, 'calendar_not_permitted']);
    expect((await gateway.rpc('calendar.calendars', { token })).data).toEqual([]);
    const event = { title: 'T', starts_at: '2026-11-23T09:00', ends_at: '2026-11-23T10:00', timezone: 'UTC' };
    expect(await rpc('calendar.create', { calendar_id: calendar, ...event })).toEqual([
      404,
      'resource_not_found',
    ]);
  });

  test('finds an empty notification centre, and marks no notification as read', async () => {
    await sql(
      `insert into notifications (id, workspace_id, user_id, kind, title, action_url, created_at)
       values (gen_random_uuid(), $1, $2, 'risk_flag_raised', 'Two accounts, one card', '/x', now())`,
      [firm.id, user.id],
    );
    expect((await gateway.rpc('notifications.list', { token, body: {} })).data.data).toHaveLength(1);
    await endMembership(user);
    expect((await gateway.rpc('notifications.list', { token, body: {} })).data.data).toEqual([]);
    expect((await gateway.rpc('notifications.unread', { token })).data.unread).toBe(0);
    const read = await gateway.request('POST /v1/me/notifications/read', { token, body: { all: true } });
    expect(read.body.data).toMatchObject({ marked: 0, unread: 0 });
  });

  test('gets no push that was queued before or is queued afterwards', async () => {
    const start = Math.ceil(gateway.clock.now().getTime() / 3_600_000 + 1) * 3_600_000;
    await createEvents(gateway.services, [
      {
        calendar_id: calendar,
        starts_at: new Date(start).toISOString(),
        ends_at: new Date(start + 3_600_000).toISOString(),
        reminders: [{ user_id: user.id, minutes_before: 10, channel: 'push' }],
      },
    ]);
    const phone = await registerPhone(gateway, user, firm.slug, 'admin');
    const platform = await tokenOf(gateway, await createStaff(gateway.services, 'all'), PLATFORM);
    const deliver = () =>
      gateway.rpc('mail.deliver', {
        token: platform,
        body: {
          mailbox: mailbox.email,
          encoding: 'text',
          raw: `From: ann@elsewhere.example\r\nSubject: Numbers\r\nMessage-ID: <${unique('m')}@x.example>\r\n\r\nHello`,
        },
      });
    expect((await gateway.rpc('devices.pushTest', { token: phone.text, body: {} })).data.devices).toBe(1);
    expect((await deliver()).code).toBeNull();
    await endMembership(user);
    expect((await deliver()).code).toBeNull();
    gateway.clock.advance(start - 600_000 - gateway.clock.now().getTime());
    await queueDueReminders(gateway.services);
    await runPushJobs(gateway.services);
    expect(gateway.apns.received.filter((one) => one.deviceToken === phone.deviceToken)).toEqual([]);
    expect((await gateway.outbox(phone.session)).map(({ reason }) => reason)).toEqual(['not_a_member']);
    const again = await gateway.rpc('devices.pushTest', { token: phone.text, body: {} });
    expect(again.code).toBe('resource_not_found');
  });

  test('has its sockets closed with 4401', async () => {
    const socket = await openSocket(gateway.url, { params: { token } });
    await socket.call('query', 'ping', {});
    await endMembership(user);
    expect((await socket.closed)[0]).toBe(4401);
    const next = await openSocket(gateway.url, { params: { token } });
    expect((await next.closed)[0]).toBe(4401);
  });

  test('still answers ping, and signs out', async () => {
    await endMembership(user);
    expect(await rest('GET /v1/ping')).toEqual([200, null]);
    expect(await rest('DELETE /v1/me/session')).toEqual([200, null]);
    expect(await rest('GET /v1/ping')).toEqual([401, 'revoked_token']);
  });
});

test('refuses firm calls to the device of a former administrator, but not to an API key', async () => {
  const firm = await createWorkspace(gateway.services);
  const user = await createUser(gateway.services, { firm, permissions: ['view_affiliates'] });
  const list = async (token: string) =>
    outcome(await gateway.request('GET /v1/affiliates/pre-registrations', { token }));
  const scopes = ['affiliates:write' as const];
  const device = await createToken(gateway.services, { user, workspace: firm.slug, scopes, kind: 'device' });
  const key = await createToken(gateway.services, { user, workspace: firm.slug, scopes });
  expect([await list(device.text), await list(key.text)]).toEqual([
    [200, null],
    [200, null],
  ]);
  await sql(`update memberships set role = 'trader' where user_id = $1`, [user.id]);
  expect(await list(device.text)).toEqual([403, 'admin_access_required']);
  expect(await list(key.text)).toEqual([200, null]);
});

describe('a platform token of former staff', () => {
  test('is refused calls for every firm: 403 admin_access_required', async () => {
    const firm = await createWorkspace(gateway.services);
    const reader = await createUser(gateway.services, { firm, permissions: ['view_risk'] });
    const mailbox = await createMailbox(gateway.services, { firm, writes: [reader] });
    const staff = await createStaff(gateway.services, 'all');
    const token = await tokenOf(gateway, staff, PLATFORM);
    const calls: [name: string, body: object, workspace?: string][] = [
      [
        'notifications.notify',
        { workspace: firm.slug, kind: 'risk_flag_raised', title: 'T', action_url: '/x', to: [reader.email] },
      ],
      ['mail.deliver', { mailbox: mailbox.email, encoding: 'text', raw: 'From: a@b.example\r\n\r\nHello' }],
      ['tickets.platform.open', {}, firm.slug],
      ['affiliates.platform.preRegister', {}, firm.slug],
      ['affiliates.list', {}, firm.slug],
      ['tickets.list', {}, firm.slug],
    ];
    const ask = async ([name, body, workspace]: (typeof calls)[number]) =>
      outcome(await gateway.rpc(name, { token, body, ...(workspace && { workspace }) }));
    for (const call of calls) expect((await ask(call))[1], call[0]).not.toBe('admin_access_required');
    await sql('update users set is_staff = false, staff_of_all_firms = false where id = $1', [staff.id]);
    for (const call of calls) expect(await ask(call), call[0]).toEqual([403, 'admin_access_required']);
    const ping = await gateway.request('GET /v1/ping', { token });
    expect(ping.status).toBe(200);
  });
});

test('adds an invitation to no calendar of a former member', async () => {
  const firm = await createWorkspace(gateway.services);
  const user = await createUser(gateway.services, { firm });
  const mailbox = await createMailbox(gateway.services, { firm, writes: [user] });
  const calendar = await createCalendar(gateway.services, { firm, owner: user });
  await sql('update memberships set active = false where user_id = $1', [user.id]);
  const platform = await tokenOf(gateway, await createStaff(gateway.services, 'all'), PLATFORM);
  const uid = randomBytes(8).toString('hex');
  const raw = [
    'From: ann@elsewhere.example',
    'Subject: Review',
    `Message-ID: <${uid}@x.example>`,
    'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
    '',
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20261101T000000Z',
    'DTSTART:20261124T090000Z',
    'DTEND:20261124T100000Z',
    'SUMMARY:Review',
    'ORGANIZER:mailto:ann@elsewhere.example',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');
  const body = { mailbox: mailbox.email, encoding: 'text', raw };
  expect((await gateway.rpc('mail.deliver', { token: platform, body })).code).toBeNull();
  expect((await sql('select from events where calendar_id = $1', [calendar])).rows).toEqual([]);
});
