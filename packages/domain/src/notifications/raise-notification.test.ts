import {
  type NotificationKind,
  notificationAudiences,
  notificationKinds,
  type Permission,
  PLATFORM,
  permissions,
} from '@firmdesk/contract';
import {
  createStaff,
  createUser,
  createWorkspace,
  dismiss,
  openTestServices,
  type TestServices,
  type TestUser,
} from '@firmdesk/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { WorkspaceRef } from '../access/identity.ts';
import { getWorkspace } from '../access/workspaces/workspaces.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { type NewNotification, raiseNotification } from './raise-notification.ts';

let base: TestServices;
let firm: WorkspaceRef;
let platform: { id: number; slug: string };
/** For each permission, an administrator who has only that permission. */
const holders = {} as Record<Permission, TestUser>;
let plain: TestUser;
let trader: TestUser;
let elsewhere: TestUser;
let dismissed: TestUser;
let deleted: TestUser;
let staff: TestUser[];
/** Staff of one firm. */
let limited: TestUser;

beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  firm = await createWorkspace(services);
  platform = await withTransaction(services, async (ctx) => {
    const { id, slug } = await getWorkspace(ctx, PLATFORM);
    return { id, slug };
  });
  for (const permission of permissions) {
    holders[permission] = await createUser(services, { firm, permissions: [permission] });
  }
  const all = { permissions: [...permissions] };
  plain = await createUser(services, { firm });
  trader = await createUser(services, { firm, role: 'trader', ...all });
  elsewhere = await createUser(services, { firm: await createWorkspace(services), ...all });
  dismissed = await createUser(services, { firm, ...all });
  await dismiss(services, dismissed);
  deleted = await createUser(services, { firm, ...all });
  await withTransaction(services, ({ db, now }) =>
    db.updateTable('users').set({ deleted_at: now }).where('id', '=', deleted.id).execute(),
  );
  staff = [await createStaff(services, 'all'), await createStaff(services, 'all')];
  limited = await createStaff(services, [firm]);
});
afterAll(() => base[Symbol.asyncDispose]());

async function raise(kind: NotificationKind, over: Partial<NewNotification> = {}): Promise<string[]> {
  const raised = await withTransaction(base.services, (ctx) =>
    raiseNotification(ctx, { workspace: firm, kind, title: 'T', actionUrl: '/x', ...over }),
  );
  return raised.map(({ user_id }) => user_id).sort();
}
const ids = (...users: TestUser[]) => users.map(({ id }) => id).sort();
const firmKinds = notificationKinds.filter((kind) => notificationAudiences[kind].to !== 'staff');
const staffKinds = notificationKinds.filter((kind) => notificationAudiences[kind].to === 'staff');
const permitted = firmKinds.flatMap((kind) => {
  const audience = notificationAudiences[kind];
  return 'permission' in audience ? [[kind, audience.permission] as const] : [];
});

describe.each(permitted)('%s', (kind, permission) => {
  test('goes to the active administrators with the permission', async () => {
    expect(await raise(kind)).toEqual(ids(holders[permission]));
  });

  test('does not go to the account that caused it', async () => {
    expect(await raise(kind, { actorId: holders[permission].id })).toEqual([]);
    expect(await raise(kind, { actorId: trader.id })).toEqual(ids(holders[permission]));
    expect(await raise(kind, { actorId: holders[permission].id, to: [holders[permission].id] })).toEqual([]);
  });

  test('goes once to each named recipient, if permitted', async () => {
    const holder = holders[permission].id;
    expect(await raise(kind, { to: [holder, holder] })).toEqual([holder]);
    for (const other of [plain, trader, elsewhere, dismissed, deleted, staff[0]!]) {
      await expect(raise(kind, { to: [holder, other.id] })).rejects.toMatchObject({
        apiCode: 'validation_failed',
        fields: [{ path: 'to[1]' }],
      });
    }
  });

  test('goes to the staff of all firms in `platform`', async () => {
    expect(await raise(kind, { workspace: platform })).toEqual(ids(...staff));
  });
});

test('new_device_signed_in goes to the account that caused it', async () => {
  const kind = 'new_device_signed_in';
  expect(await raise(kind, { to: [plain.id], actorId: plain.id })).toEqual([plain.id]);
  expect(await raise(kind, { to: [trader.id] })).toEqual([trader.id]);
  for (const { id } of [staff[0]!, limited])
    expect(await raise(kind, { workspace: platform, to: [id] })).toEqual([id]);
  await expect(raise(kind)).rejects.toMatchObject({ fields: [{ path: 'to' }] });
  for (const other of [elsewhere, dismissed, deleted]) {
    await expect(raise(kind, { to: [other.id] })).rejects.toMatchObject({ fields: [{ path: 'to[0]' }] });
  }
});

describe.each(staffKinds)('%s', (kind) => {
  test('goes only to the service’s own staff of all firms', async () => {
    expect(await raise(kind, { workspace: platform })).toEqual(ids(...staff));
    expect(await raise(kind, { workspace: platform, actorId: staff[0]!.id })).toEqual(ids(staff[1]!));
    expect(await raise(kind, { workspace: platform, to: [staff[1]!.id] })).toEqual(ids(staff[1]!));
    await expect(raise(kind)).rejects.toMatchObject({ fields: [{ path: 'workspace' }] });
    for (const { id } of [plain, limited])
      await expect(raise(kind, { workspace: platform, to: [id] })).rejects.toMatchObject({
        fields: [{ path: 'to[0]' }],
      });
  });
});

test('the first five kinds of the contract are for administrators, the last four for the staff', () => {
  const to = notificationKinds.map((kind) => notificationAudiences[kind].to);
  expect(to.slice(0, 5)).toEqual(Array(5).fill('admins'));
  expect(to.slice(-4)).toEqual(Array(4).fill('staff'));
  expect(to.slice(5, -4)).not.toContain('staff');
  expect(to).toHaveLength(19);
});
