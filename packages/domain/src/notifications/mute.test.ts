import type { NotificationKind } from '@firmdesk/contract';
import { createUser, createWorkspace, runPushJobs, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
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
