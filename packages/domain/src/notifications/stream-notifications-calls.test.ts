import { type NotificationStreamEvent, PLATFORM } from '@firmdesk/contract';
import { createStaff, createUser, createWorkspace, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  type Follower,
  follow,
  suiteGateway,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const gateway = await suiteGateway();
const otherNode = await gateway.secondNode();
let firm: Firm;
let user: TestUser;
let token: string;

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway));
});

interface NotificationStream extends Follower<NotificationStreamEvent> {
  unread(): number | undefined;
  titles(): string[];
}

async function openStream(url: string, bearer = token, lastEventId?: string): Promise<NotificationStream> {
  const follower = await follow<NotificationStreamEvent>(url, { token: bearer }, (trpc, handlers) =>
    trpc.notifications.live.subscribe({ lastEventId }, handlers),
  );
  const { events } = follower;
  return {
    ...follower,
    unread: () =>
      events
        .map(({ data }) => (data.type === 'unread' ? data.unread : undefined))
        .findLast((n) => n !== undefined),
    titles: () =>
      events.flatMap(({ data }) => (data.type === 'notification.created' ? data.notification.title : [])),
  };
}

let raised = 0;
async function raise(
  title = `Notification ${++raised}`,
  to = user,
  workspace = firm.slug,
  kind = 'new_device_signed_in',
) {
  const staff = await createStaff(gateway.services, 'all');
  const body = { workspace, kind, title, action_url: '/settings', to: [to.email] };
  const answer = await gateway.rpc('notifications.notify', {
    token: await tokenOf(gateway, staff, PLATFORM),
    body,
  });
  expect(answer.code, answer.text).toBeNull();
  return answer.data.notifications[0].id as string;
}

test('streams on both nodes receive a new notification and the unread count, also after reads in another client', async () => {
  const before = await raise('before');
  using here = await openStream(gateway.url);
  using there = await openStream(otherNode.url, await tokenOf(gateway, user, firm.slug));
  for (const stream of [here, there]) await expect.poll(stream.unread).toBe(1);
  const id = await raise('now');
  for (const stream of [here, there]) {
    await expect.poll(stream.unread).toBe(2);
    expect(stream.titles()).toEqual(['now']);
  }
  const listed = await gateway.rpc('notifications.list', { token, body: {} });
  const created = here.events.find(({ data }) => data.type === 'notification.created')!.data;
  const notification = listed.data.data.find((one: { id: string }) => one.id === id);
  expect(created).toEqual({ type: 'notification.created', notification });
  const read = (ids: string[]) => gateway.request('POST /v1/me/notifications/read', { token, body: { ids } });
  await read([before]);
  for (const stream of [here, there]) await expect.poll(stream.unread).toBe(1);
  await read([id, before]);
  for (const stream of [here, there]) await expect.poll(stream.unread).toBe(0);
});

test('receives each of many concurrent notifications once, and the final unread count is correct', async () => {
  using stream = await openStream(otherNode.url);
  const titles = Array.from({ length: 12 }, (_, n) => `concurrent ${n}`);
  await Promise.all(titles.map((title) => raise(title)));
  await expect.poll(() => stream.titles().length).toBe(titles.length);
  await expect.poll(stream.unread).toBe(titles.length);
  expect(stream.titles().toSorted()).toEqual(titles.toSorted());
  const ids = stream.events.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

test('a reconnect receives missed notifications once, and the current unread count', async () => {
  using stream = await openStream(gateway.url);
  await raise('first');
  await expect.poll(stream.titles).toEqual(['first']);
  const last = stream.events.at(-1)!.id;
  await raise('second');
  using again = await openStream(otherNode.url, token, last);
  await expect.poll(again.titles).toEqual(['second']);
  stream.drop();
  await raise('third');
  for (const each of [stream, again]) {
    await expect.poll(() => each.titles().at(-1)).toBe('third');
    await expect.poll(each.unread).toBe(3);
  }
  expect(stream.titles()).toEqual(['first', 'second', 'third']);
});

test('a reconnect after more time than the event log covers receives resync and the unread count', async () => {
  await raise();
  using stream = await openStream(gateway.url, token, '999999999999');
  await expect.poll(() => stream.events.map(({ data }) => data.type)).toEqual(['resync', 'unread']);
  expect(stream.unread()).toBe(1);
});

test('receives no events of other accounts, other firms, or the account’s other workspaces', async () => {
  const other = await createUser(gateway.services, { firm });
  const elsewhere = await createWorkspace(gateway.services);
  await gateway.services.pool.query(
    `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, 'admin', now())`,
    [elsewhere.id, user.id],
  );
  const outsider = await createUser(gateway.services, { firm: elsewhere });
  using stream = await openStream(gateway.url);
  using elsewhereStream = await openStream(otherNode.url, await tokenOf(gateway, user, elsewhere.slug));
  await raise('to a colleague', other);
  await raise('to an outsider', outsider, elsewhere.slug);
  await raise('to me elsewhere', user, elsewhere.slug);
  await raise('to me here');
  await expect.poll(stream.titles).toEqual(['to me here']);
  await expect.poll(elsewhereStream.titles).toEqual(['to me elsewhere']);
  await gateway.rpc('notifications.markRead', { token, body: { all: true } });
  await expect.poll(stream.unread).toBe(0);
  expect(elsewhereStream.unread()).toBe(1);
});

test('never receives a notification that was not committed', async () => {
  using stream = await openStream(gateway.url);
  const staff = await tokenOf(gateway, await createStaff(gateway.services, 'all'), PLATFORM);
  const refused = await gateway.rpc('notifications.notify', {
    token: staff,
    body: {
      workspace: firm.slug,
      kind: 'new_device_signed_in',
      title: 'never',
      action_url: '/x',
      to: [user.email, 'nobody@example.com'],
    },
  });
  expect(refused.code).toBe('validation_failed');
  await raise('after');
  await expect.poll(stream.titles).toEqual(['after']);
});

test('requires the scope, and ends when the token is revoked', async () => {
  const weak = await tokenOf(gateway, user, firm.slug, ['notifications:write']);
  using scopeless = await openStream(gateway.url, weak);
  expect(scopeless.errors).toEqual(['insufficient_scope']);
  using stream = await openStream(otherNode.url);
  await expect.poll(stream.unread).toBe(0);
  await gateway.request('DELETE /v1/me/session', { token });
  await expect
    .poll(async () => (await otherNode.request('GET /metrics')).text)
    .toMatch(/^websocket_connections 0$/m);
  await raise('too late');
  expect(stream.titles()).toEqual([]);
});
