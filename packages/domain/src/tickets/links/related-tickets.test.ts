import { createTicket, createUser, type TestUser } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  type Firm,
  notificationsOf,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
const { pool } = services;
let firm: Firm;
let agent: TestUser;
let trader: TestUser;
let token: string;
const { rpc, call, get, codeOf } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, agent, trader, token } = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets']));
});

const create = (over: Partial<Parameters<typeof createTicket>[1]> = {}) =>
  createTicket(services, { firm, trader, status: 'awaiting_admin', ...over });
const minutesAgo = (minutes: number) => new Date(gateway.clock.now().getTime() - minutes * 60_000);
const elsewhere = async () => {
  const other = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets']);
  return createTicket(services, { firm: other.firm, trader: other.trader, status: 'awaiting_admin' });
};

describe('a ticket marked as unread', () => {
  test('has its latest message of the trader or the assistant unread, once', async () => {
    const ticket = await create({
      messages: [
        { body: 'First', at: minutesAgo(3) },
        { body: 'Second', at: minutesAgo(2) },
        { body: 'Reply', from: 'admin', at: minutesAgo(1) },
      ],
    });
    await call('markRead', { ticket });
    await pool.query('update ticket_messages set read_at = now() where ticket_id = $1', [ticket]);
    expect(await call('markUnread', { ticket })).toMatchObject({ unread: 1 });
    expect(await call('markUnread', { ticket })).toMatchObject({ unread: 1 });
    const { data } = await call('messages', { ticket });
    expect(data.filter((each: { read_at: unknown }) => each.read_at === null)).toMatchObject([
      { body: 'Second' },
    ]);
    expect(await call('markRead', { ticket })).toMatchObject({ unread: 0 });
  });

  test('stays read without such a message', async () => {
    const ticket = await create({ messages: [{ body: 'Hello', from: 'admin' }] });
    expect(await call('markUnread', { ticket })).toMatchObject({ unread: 0 });
  });
});

describe('a ticket that an agent opens', () => {
  const input = () => ({ to: trader.email, subject: 'Your documents', body: 'Please upload them.' });

  test('with a reply awaits the trader, without the assistant, and notifies nobody', async () => {
    const { ticket, message } = await call('start', { ...input(), kind: 'reply', assignee: agent.id });
    expect(ticket).toMatchObject({
      status: 'awaiting_trader',
      ai_enabled: false,
      last_from: 'admin',
      unread: 0,
      trader: { id: trader.id },
      assignee: { id: agent.id },
    });
    expect(message).toMatchObject({ from: 'admin', internal: false, body: 'Please upload them.' });
    expect(await notificationsOf(gateway, firm)).toEqual([]);
  });

  test('with a note awaits the team, which is notified except its author', async () => {
    const colleague = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
    const { ticket, message } = await call('start', { ...input(), kind: 'note', priority: 'urgent' });
    expect(ticket).toMatchObject({ status: 'awaiting_admin', priority: 'urgent', last_from: null });
    expect(message).toMatchObject({ internal: true });
    expect(await notificationsOf(gateway, firm)).toMatchObject([{ user_id: colleague.id }]);
  });

  test('with a note notifies once those whom it mentions, who must be agents', async () => {
    const ben = await createUserWithToken(gateway, { firm, permissions: ['view_tickets', 'manage_tickets'] });
    const note = { ...input(), body: '@Ben please look.', kind: 'note', assignee: agent.id };
    const { message } = await call('start', { ...note, mentions: [ben.user.id, ben.user.id] });
    expect(message.mentions).toEqual([ben.user.id]);
    const mention = { user_id: ben.user.id, title: expect.stringMatching(/mentioned you in ticket #/) };
    expect(await notificationsOf(gateway, firm)).toEqual([mention]);
    // Also one to whom the ticket is assigned.
    await call('start', { ...note, assignee: ben.user.id, mentions: [ben.user.id] });
    expect(await notificationsOf(gateway, firm)).toEqual([mention, mention]);
    for (const wrong of [{ mentions: [trader.id] }, { kind: 'reply', mentions: [ben.user.id] }]) {
      const answer = await rpc('start', { ...note, ...wrong });
      expect(answer.code).toBe('validation_failed');
      expect(answer.text).toContain('mentions');
    }
    expect((await call('list', {})).data).toHaveLength(2);
  });

  test('is opened once for calls with the same key', async () => {
    const key = crypto.randomUUID();
    const body = { ...input(), kind: 'reply' };
    const answers = [
      await gateway.rpc('tickets.start', { token, body, key }),
      await gateway.rpc('tickets.start', { token, body, key }),
    ];
    expect(answers[1]!.data).toEqual(answers[0]!.data);
    expect((await call('list', {})).data).toHaveLength(1);
  });

  test('needs a trader, an agent and a team of the firm', async () => {
    const other = await createTicketFixture(gateway, ['view_tickets']);
    for (const wrong of [{ to: other.trader.email }, { assignee: other.agent.id }, { team: 2_000_000_000 }])
      expect(await codeOf('start', { ...input(), kind: 'note', ...wrong })).toBe('validation_failed');
    expect((await call('list', {})).data).toEqual([]);
  });
});

describe('linked tickets', () => {
  test('show each other until the link is removed', async () => {
    const [one, two] = [await create({ subject: 'One' }), await create({ subject: 'Two' })];
    expect(await call('link', { ticket: one, other: two })).toMatchObject({
      links: [{ id: two, subject: 'Two' }],
    });
    expect(await call('link', { ticket: two, other: one })).toMatchObject({ links: [{ id: one }] });
    expect(await get(one)).toMatchObject({ links: [{ id: two }] });
    expect(await get(two)).toMatchObject({ links: [{ id: one, status: 'awaiting_admin' }] });
    expect(await call('unlink', { ticket: two, other: one })).toMatchObject({ links: [] });
    expect(await call('unlink', { ticket: two, other: one })).toMatchObject({ links: [] });
    expect(await get(one)).toMatchObject({ links: [] });
  });

  test('are of one firm, are not the same, and are at most fifty', async () => {
    const ticket = await create();
    expect(await codeOf('link', { ticket, other: ticket })).toBe('validation_failed');
    expect(await codeOf('link', { ticket, other: await elsewhere() })).toBe('resource_not_found');
    const others = await Promise.all(Array.from({ length: 51 }, () => create()));
    for (const other of others.slice(0, 50)) await call('link', { ticket, other });
    expect(await codeOf('link', { ticket, other: others[50]! })).toBe('validation_failed');
    expect(await codeOf('link', { ticket: others[50]!, other: ticket })).toBe('validation_failed');
    expect((await get(ticket)).links).toHaveLength(50);
  });
});
