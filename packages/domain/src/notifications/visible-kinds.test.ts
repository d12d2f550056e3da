import {
  type Notification,
  type NotificationKind,
  type NotificationStreamEvent,
  notificationAudiences,
  notificationKinds,
  type Permission,
  permissions,
} from '@firmdesk/contract';
import type { TestUser } from '@firmdesk/testing';
import { runPushJobs } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  type Follower,
  follow,
  registerPhone,
  suitePushGateway,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { changePermissions, withTransaction } from '../index.ts';
import { raiseNotification } from './raise-notification.ts';

const gateway = await suitePushGateway();
let firm: Firm;
let user: TestUser;
let token: string;

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, { permissions: [...permissions] }));
});

async function raise(kind: NotificationKind, title: string): Promise<string> {
  gateway.clock.advance(1000);
  const [raised] = await withTransaction(gateway.services, (ctx) =>
    raiseNotification(ctx, { workspace: firm, kind, title, actionUrl: '/x', to: [user.id] }),
  );
  return raised!.id;
}
const change = (permission: Permission, is: 'granted' | 'revoked') =>
  withTransaction(gateway.services, (ctx) =>
    changePermissions(
      ctx,
      { user: user.email, workspace: firm.slug },
      { [is === 'granted' ? 'grant' : 'revoke']: [permission] },
    ),
  );
const call = async (name: string, body: object = {}) =>
  (await gateway.rpc(`notifications.${name}`, { token, body })).data;
const listed = async (input: object = {}): Promise<string[]> =>
  (await call('list', input)).data.map(({ title }: Notification) => title);

async function openStream(lastEventId?: string): Promise<Follower<NotificationStreamEvent>> {
  return follow<NotificationStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
    trpc.notifications.live.subscribe({ lastEventId }, handlers),
  );
}
const titlesOf = ({ events }: Follower<NotificationStreamEvent>) =>
  events.flatMap(({ data }) => (data.type === 'notification.created' ? data.notification.title : []));
const unreadOf = ({ events }: Follower<NotificationStreamEvent>) =>
  events.flatMap(({ data }) => (data.type === 'unread' ? data.unread : [])).at(-1);

const permitted = notificationKinds.flatMap((kind) => {
  const audience = notificationAudiences[kind];
  return 'permission' in audience ? [[kind, audience.permission] as const] : [];
});

describe.each(permitted)('%s after %s was revoked', (kind, permission) => {
  test('is neither listed nor counted nor marked, and is back as it was when the permission is', async () => {
    const hidden = await raise(kind, 'hidden');
    await raise('new_device_signed_in', 'shown');
    expect(await listed()).toEqual(['shown', 'hidden']);
    await change(permission, 'revoked');
    expect(await listed()).toEqual(['shown']);
    expect(await listed({ unread: true })).toEqual(['shown']);
    expect(await call('unread')).toMatchObject({ unread: 1 });
    const cursor = await gateway.rpc('notifications.list', { token, body: { starting_after: hidden } });
    expect(cursor.code).toBe('invalid_cursor');
    expect(await call('markRead', { ids: [hidden] })).toMatchObject({ marked: 0, unread: 1 });
    expect(await call('markRead', { all: true })).toMatchObject({ marked: 1, unread: 0 });
    await change(permission, 'granted');
    expect(await listed({ unread: true })).toEqual(['hidden']);
    expect(await call('unread')).toMatchObject({ unread: 1 });
  });

  test('is not streamed, also not from an event that the client received before', async () => {
    let last: string;
    {
      using stream = await openStream();
      await raise('new_device_signed_in', 'before');
      await expect.poll(() => unreadOf(stream)).toBe(1);
      last = stream.events.at(-1)!.id;
      await raise(kind, 'hidden');
      await expect.poll(() => titlesOf(stream)).toEqual(['before', 'hidden']);
    }
    await raise('new_device_signed_in', 'after');
    await change(permission, 'revoked');
    using again = await openStream(last);
    await expect.poll(() => titlesOf(again)).toEqual(['after']);
    await expect.poll(() => unreadOf(again)).toBe(2);
    await raise('new_device_signed_in', 'later');
    await expect.poll(() => titlesOf(again)).toEqual(['after', 'later']);
    await change(permission, 'granted');
    using granted = await openStream(last);
    await expect.poll(() => titlesOf(granted)).toEqual(['hidden', 'after', 'later']);
  });

  test('is not pushed', async () => {
    const phone = await registerPhone(gateway, user, firm.slug, 'admin');
    await raise(kind, 'hidden');
    await change(permission, 'revoked');
    await runPushJobs(gateway.services);
    expect(await gateway.outbox(phone.session)).toMatchObject([
      { state: 'dropped', reason: 'no_permission' },
    ]);
    await expect(raise(kind, 'never')).rejects.toMatchObject({ apiCode: 'validation_failed' });
  });
});
