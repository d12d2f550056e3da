import type { Permission } from '@firmdesk/contract';
import { createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
const permissions: Permission[] = ['view_tickets', 'manage_tickets'];
let firm: Firm;
let token: string;
let ada: TestUser;
let ben: { user: TestUser; token: string };
let trader: TestUser;
let platform: string;
let ticket: string;
const { call, rpc } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, token, user: ada } = await createUserWithToken(gateway, { name: 'Ada Able', permissions }));
  ben = await createUserWithToken(gateway, { firm, name: 'Ben Best', permissions: ['view_tickets'] });
  trader = await createUser(services, { firm, role: 'trader', name: 'Tina Trader' });
  ({ token: platform } = await createUserWithToken(gateway, { firm, scopes: ['platform:write'] }));
  ticket = await createTicket(services, {
    firm,
    trader,
    status: 'awaiting_admin',
    aiEnabled: false,
    assignee: ada,
  });
});

const note = (over: object = {}) =>
  call('addNote', { ticket, body: '@Ben Best please look.', mentions: [ben.user.id], ...over });
const notificationsOf = async (of: { token: string }) =>
  (await gateway.rpc('notifications.list', { token: of.token, body: {} })).data.data;
const pushJobs = async () =>
  (
    await services.pool.query(`select from job_requests where workspace_id = $1 and task like '%push%'`, [
      firm.id,
    ])
  ).rows.length;
const write = () => call('platform.write', { ticket, from: trader.email, body: 'Hello?' }, platform);

describe('a mention in a note', () => {
  test('is stored by id, and notifies the colleague once, in the centre and by push', async () => {
    const before = await pushJobs();
    expect(await note({ mentions: [ben.user.id, ben.user.id, ada.id] })).toMatchObject({
      internal: true,
      mentions: expect.arrayContaining([ben.user.id, ada.id]),
    });
    expect((await call('messages', { ticket })).data[0].mentions).toHaveLength(2);
    expect(await notificationsOf(ben)).toMatchObject([
      {
        kind: 'ticket_awaiting_admin',
        title: `Ada Able mentioned you in ticket #${ticket.slice(-6).toUpperCase()}`,
        body: '@Ben Best please look.',
        action_url: expect.stringContaining(ticket),
      },
    ]);
    expect(await notificationsOf({ token })).toEqual([]);
    expect(await pushJobs()).toBe(before + 1);
  });

  test('notifies once for calls with the same key', async () => {
    const key = crypto.randomUUID();
    const body = { ticket, body: '@Ben Best', mentions: [ben.user.id] };
    for (let i = 0; i < 2; i++)
      expect((await gateway.rpc('tickets.addNote', { token, body, key })).code).toBe(null);
    expect(await notificationsOf(ben)).toHaveLength(1);
  });

  test('cuts a long note', async () => {
    await note({ body: '🙂'.repeat(300) });
    expect([...(await notificationsOf(ben))[0].body]).toHaveLength(200);
  });

  test('is refused for an account that may not see the firm’s tickets, and for more than twenty', async () => {
    const plain = await createUser(services, { firm, permissions: [] });
    const { user: stranger } = await createUserWithToken(gateway, { permissions });
    for (const { id } of [plain, stranger, trader]) {
      const answer = await rpc('addNote', { ticket, body: '@', mentions: [ben.user.id, id] });
      expect(answer.code).toBe('validation_failed');
      expect(answer.text).toContain('mentions[1]');
    }
    expect((await rpc('addNote', { ticket, body: '@', mentions: Array(21).fill(ben.user.id) })).code).toBe(
      'validation_failed',
    );
    expect(await notificationsOf(ben)).toEqual([]);
    expect((await call('messages', { ticket })).data).toEqual([]);
  });
});

describe('a follower of a ticket', () => {
  const follow = (following: boolean) => call('follow', { ticket, following }, ben.token);

  test('is notified of each message of the trader, until the end of following', async () => {
    expect(await call('get', { ticket }, ben.token)).toMatchObject({ following: false });
    for (let i = 0; i < 2; i++)
      expect(await follow(true)).toEqual({ object: 'ticket_following', ticket_id: ticket, following: true });
    expect(await call('get', { ticket }, ben.token)).toMatchObject({ following: true });
    await write();
    await call('reply', { ticket, body: 'Paid.' });
    await note({ mentions: [] });
    expect(await notificationsOf(ben)).toMatchObject([
      { title: expect.stringMatching(/^Tina Trader wrote in ticket/) },
    ]);
    await follow(false);
    await write();
    expect(await notificationsOf(ben)).toHaveLength(1);
  });

  test('is notified once of a message that also asks the team', async () => {
    await call('assign', { ticket, assignee: null });
    await call('reply', { ticket, body: 'Paid.' });
    await follow(true);
    await write();
    expect(await notificationsOf(ben)).toMatchObject([
      { title: expect.stringContaining('awaits an answer') },
    ]);
  });

  test('is not notified without the permission to see tickets', async () => {
    await follow(true);
    await services.pool.query(
      `update memberships set permissions = '{}' where workspace_id = $1 and user_id = $2`,
      [firm.id, ben.user.id],
    );
    await write();
    const { rows } = await services.pool.query(
      'select from notifications where workspace_id = $1 and user_id = $2',
      [firm.id, ben.user.id],
    );
    expect(rows).toEqual([]);
    expect((await rpc('follow', { ticket: `tkt_${'0'.repeat(26)}`, following: true })).code).toBe(
      'resource_not_found',
    );
  });
});
