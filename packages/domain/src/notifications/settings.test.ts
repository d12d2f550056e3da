import type {
  NotificationChannel,
  NotificationKind,
  NotificationStreamEvent,
  NotificationTopic,
} from '@firmdesk/contract';
import { createTicket, createUser, createWorkspace, runPushJobs, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  follow,
  registerPhone,
  suitePushGateway,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const gateway = await suitePushGateway();
let firm: Firm;
let admin: TestUser;
let token: string;
beforeEach(async () => {
  ({
    firm,
    user: admin,
    token,
  } = await createUserWithToken(gateway, { permissions: ['view_payouts', 'view_risk'] }));
});

const mute = (kind: string, muted: boolean, bearer = token) =>
  gateway.rpc('notifications.mute', { token: bearer, body: { kind, muted } });
const muted = async (bearer = token) =>
  (await gateway.rpc('notifications.mutes', { token: bearer })).data.kinds;
const raise = (kind: NotificationKind, workspace = firm.slug) =>
  gateway.rpc('notifications.notify', {
    token,
    body: { workspace, kind, title: kind, action_url: '/x' },
  });

test('mutes and unmutes single kinds; repeated calls change nothing', async () => {
  expect(await muted()).toEqual([]);
  await mute('risk_flag_raised', true);
  const { data } = await mute('payout_requested', true);
  expect(data).toEqual({ object: 'notification_mutes', kinds: ['payout_requested', 'risk_flag_raised'] });
  await mute('payout_requested', true);
  expect(await muted()).toEqual(data.kinds);
  await mute('payout_requested', false);
  await mute('payout_requested', false);
  expect(await muted()).toEqual(['risk_flag_raised']);
  expect((await mute('no_such_kind', true)).code).toBe('validation_failed');
});

test('a muted kind appears in the notification centre and is not pushed, even if it is muted after it was raised', async () => {
  const colleague = await createUser(gateway.services, { firm, permissions: ['view_payouts'] });
  const mine = await registerPhone(gateway, admin, firm.slug, 'admin');
  const theirs = await registerPhone(gateway, colleague, firm.slug, 'admin');
  await raise('payout_requested');
  await mute('payout_requested', true);
  await raise('risk_flag_raised');
  await runPushJobs(gateway.services);
  expect((await gateway.outbox(mine.session)).map(({ state, reason }) => [state, reason]).toSorted()).toEqual(
    [
      ['dropped', 'muted'],
      ['sent', null],
    ],
  );
  expect((await gateway.outbox(theirs.session)).map(({ state }) => state)).toEqual(['sent']);
  const { data } = await gateway.rpc('notifications.list', { token, body: {} });
  expect(data.data).toHaveLength(2);
  await mute('payout_requested', false);
  await raise('payout_requested');
  await runPushJobs(gateway.services);
  expect((await gateway.outbox(mine.session)).filter(({ state }) => state === 'sent')).toHaveLength(2);
});

test('a mute applies to one account in one workspace', async () => {
  const other = await createWorkspace(gateway.services);
  await gateway.services.pool.query(
    `insert into memberships (workspace_id, user_id, role, permissions, created_at)
     values ($1, $2, 'admin', '{view_payouts}', now())`,
    [other.id, admin.id],
  );
  const elsewhere = await tokenOf(gateway, admin, other.slug);
  const { token: theirs } = await createUserWithToken(gateway, { firm });
  await mute('payout_requested', true);
  expect(await muted(elsewhere)).toEqual([]);
  expect(await muted(theirs)).toEqual([]);
});

const change = (topic: NotificationTopic, channel: NotificationChannel, on: boolean, bearer = token) =>
  gateway.rpc('notifications.changeSetting', { token: bearer, body: { topic, channel, on } });
const settingsOf = async (bearer = token) =>
  new Map<string, Record<string, unknown>>(
    (await gateway.rpc('notifications.settings', { token: bearer })).data.topics.map(
      ({ topic, ...rest }: { topic: string }) => [topic, rest],
    ),
  );
const ALL_ON = { bell: true, desktop: true, sound: true, push: true, required: null };

test('the settings have a row for each kind that the account may be notified of, and for mentions and assignments', async () => {
  const agent = await createUserWithToken(gateway, { firm, permissions: ['view_tickets'] });
  const { data: trader } = await gateway.rpc('notifications.settings', {
    token: (await createUserWithToken(gateway, { firm })).token,
  });
  expect(trader.topics.map(({ topic }: { topic: string }) => topic)).toEqual([
    'new_device_signed_in',
    'sign_in_changed',
    'mail_not_delivered',
  ]);
  expect([...(await settingsOf(agent.token)).keys()]).toEqual([
    'mention',
    'assignment',
    'ticket_awaiting_admin',
    'new_device_signed_in',
    'sign_in_changed',
    'mail_not_delivered',
  ]);
  await change('mention', 'sound', false, agent.token);
  await change('mention', 'desktop', false, agent.token);
  await change('mention', 'desktop', true, agent.token);
  const settings = await settingsOf(agent.token);
  expect(settings.get('mention')).toEqual({ ...ALL_ON, sound: false });
  expect(settings.get('assignment')).toEqual(ALL_ON);
  // An app that knows kinds mutes what it gets as this kind.
  await mute('ticket_awaiting_admin', true, agent.token);
  const muted = await settingsOf(agent.token);
  expect([...muted].filter(([, { push }]) => !push).map(([topic]) => topic)).toEqual([
    'mention',
    'assignment',
    'ticket_awaiting_admin',
  ]);
});

test('what the bell does not get is not raised: neither listed, counted, streamed nor pushed; mentions apart from replies', async () => {
  const permissions = ['view_tickets', 'manage_tickets'] as const;
  const agent = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
  const colleague = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
  const trader = await createUser(gateway.services, { firm, role: 'trader' });
  const ticket = await createTicket(gateway.services, { firm, trader });
  const mine = await registerPhone(gateway, agent.user, firm.slug, 'admin');
  const theirs = await registerPhone(gateway, colleague.user, firm.slug, 'admin');
  using stream = await follow<NotificationStreamEvent>(
    gateway.url,
    { token: agent.token },
    (trpc, handlers) => trpc.notifications.live.subscribe({}, handlers),
  );
  await expect.poll(() => stream.events.length).toBe(1);
  await change('mention', 'bell', false, agent.token);
  await expect.poll(() => stream.events.map(({ data }) => data.type)).toEqual(['unread', 'settings']);
  const note = { ticket, body: 'Please look.', mentions: [agent.user.id, colleague.user.id] };
  const author = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
  expect((await gateway.rpc('tickets.addNote', { token: author.token, body: note })).code).toBeNull();
  const body = { workspace: firm.slug, kind: 'ticket_awaiting_admin', title: 'A reply', action_url: '/x' };
  const raised = await gateway.rpc('notifications.notify', {
    token,
    body: { ...body, to: [agent.user.email] },
  });
  expect(raised.data.notifications).toHaveLength(1);
  await runPushJobs(gateway.services);
  const titles = async (bearer: string) =>
    (await gateway.rpc('notifications.list', { token: bearer, body: {} })).data.data.map(
      ({ title }: { title: string }) => title,
    );
  expect(await titles(agent.token)).toEqual(['A reply']);
  expect(await titles(colleague.token)).toEqual([expect.stringContaining('mentioned you')]);
  expect((await gateway.rpc('notifications.unread', { token: agent.token })).data.unread).toBe(1);
  await expect.poll(() => stream.events.at(-1)!.data).toEqual({ type: 'unread', unread: 1 });
  expect(stream.events.filter(({ data }) => data.type === 'notification.created')).toHaveLength(1);
  expect(await gateway.outbox(mine.session)).toHaveLength(1);
  expect(await gateway.outbox(theirs.session)).toHaveLength(1);

  // Nobody is left to tell: the call succeeds, and raises nothing.
  await change('ticket_awaiting_admin', 'bell', false, agent.token);
  const silent = await gateway.rpc('notifications.notify', {
    token,
    body: { ...body, to: [agent.user.email] },
  });
  expect(silent.data.notifications).toEqual([]);
});

test('the bell of what concerns security or the service cannot be turned off, other channels can', async () => {
  const { code, text } = await change('new_device_signed_in', 'bell', false);
  expect(code).toBe('validation_failed');
  expect(text).toContain('somebody else may use the account');
  expect((await change('new_device_signed_in', 'sound', false)).code).toBeNull();
  expect((await settingsOf()).get('new_device_signed_in')).toEqual({
    ...ALL_ON,
    sound: false,
    required: 'security',
  });
});

test('two windows that change one topic at once lose neither change', async () => {
  const channels: NotificationChannel[] = ['bell', 'desktop', 'sound', 'push'];
  await Promise.all(channels.map((channel) => change('risk_flag_raised', channel, false)));
  expect((await settingsOf()).get('risk_flag_raised')).toEqual({
    bell: false,
    desktop: false,
    sound: false,
    push: false,
    required: null,
  });
  await Promise.all(channels.map((channel) => change('risk_flag_raised', channel, true)));
  expect((await settingsOf()).get('risk_flag_raised')).toEqual(ALL_ON);
});
