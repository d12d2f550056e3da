import {
  type Notification,
  type NotificationStreamEvent,
  type Permission,
  PLATFORM,
} from '@firmdesk/contract';
import { createStaff, createTicket, createUser, runPushJobs } from '@firmdesk/testing';
import {
  createUserWithToken,
  follow,
  registerPhone,
  suitePushGateway,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { eraseAccount } from '../index.ts';

const gateway = await suitePushGateway();
const { services } = gateway;
const permissions: Permission[] = ['view_tickets', 'manage_tickets'];

test('a title shows the name that an account has now, and none that was erased: listed, streamed again and pushed', async () => {
  const { firm, user: ben, token } = await createUserWithToken(gateway, { permissions });
  const ada = await createUserWithToken(gateway, { firm, permissions, name: 'Ada Ableson' });
  const trader = await createUser(services, { firm, role: 'trader', name: 'Tina Traderson' });
  const ticket = await createTicket(services, { firm, trader, assignee: ada.user });
  const platform = await tokenOf(gateway, await createStaff(services, 'all'), PLATFORM);
  const call = async (name: string, body: object, as = token, workspace?: string) => {
    const answer = await gateway.rpc(name, { token: as, body, ...(workspace && { workspace }) });
    expect(answer.code, answer.text).toBeNull();
    return answer.data;
  };
  const titles = async () =>
    (await call('notifications.list', {})).data.map(({ title }: Notification) => title).sort();
  const openStream = (lastEventId?: string) =>
    follow<NotificationStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
      trpc.notifications.live.subscribe({ lastEventId }, handlers),
    );
  const streamed = ({ events }: Awaited<ReturnType<typeof openStream>>) =>
    events
      .flatMap(({ data }) => (data.type === 'notification.created' ? data.notification.title : []))
      .sort();

  using stream = await openStream();
  await expect.poll(() => stream.events.length).toBe(1);
  const before = stream.events[0]!.id;
  await call('tickets.follow', { ticket, following: true });
  const message = { ticket, from: trader.email, body: 'Hello?' };
  await call('tickets.platform.write', message, platform, firm.slug);
  await call('tickets.addNote', { ticket, body: 'Please look.', mentions: [ben.id] }, ada.token);
  const number = ticket.slice(-6).toUpperCase();
  const named = [
    `Ada Ableson mentioned you in ticket #${number}`,
    `Tina Traderson wrote in ticket #${number}`,
  ];
  expect(await titles()).toEqual(named);
  await expect.poll(() => streamed(stream)).toEqual(named);

  const phone = await registerPhone(gateway, ben, firm.slug, 'admin');
  for (const { email } of [ada.user, trader])
    await eraseAccount(services, email, { actor: { kind: 'operator', id: 'ines' } });
  const unnamed = [
    `Former user mentioned you in ticket #${number}`,
    `Former user wrote in ticket #${number}`,
  ];
  expect(await titles()).toEqual(unnamed);
  // The events from before an erasure are deleted: a viewer is told to fetch the list again.
  using again = await openStream(before);
  await expect.poll(() => again.events.map(({ data }) => data.type)).toContain('resync');
  expect(streamed(again)).toEqual([]);
  await runPushJobs(services);
  const pushed = gateway.apns.received
    .filter(({ deviceToken }) => deviceToken === phone.deviceToken)
    .map(({ payload }) => (payload as { aps: { alert: { title: string } } }).aps.alert.title);
  expect(pushed.sort()).toEqual(unnamed);
  for (const table of ['notifications', `event_log t where subject = 'notifications' and`]) {
    const from = table.includes(' where ') ? table : `${table} t where`;
    const { rows } = await services.pool.query(
      `select t::text as row from ${from} t::text ~ 'Ableson|Traderson'`,
    );
    expect(rows, table).toEqual([]);
  }
});
