import { type Permission, PLATFORM, type Ticket } from '@firmdesk/contract';
import { createTicket, createUser, createWorkspace, type TestUser } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  type Firm,
  followTicket,
  notificationsOf,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test, vi } from 'vitest';

const gateway = await suiteGateway();
let firm: Firm;
let agent: TestUser;
let trader: TestUser;
let token: string;

beforeEach(async () => {
  const permissions: Permission[] = ['view_tickets', 'manage_tickets', 'manage_assistant'];
  ({ firm, agent, trader, token } = await createTicketFixture(gateway, permissions));
});

const create = (over: Partial<Parameters<typeof createTicket>[1]> = {}) =>
  createTicket(gateway.services, { firm, trader, ...over });
const { rpc, call, get } = ticketCalls(gateway, () => token);
const minutesLater = () => gateway.clock.advance(60_000);
const now = () => gateway.clock.now().toISOString();
const notifications = () => notificationsOf(gateway, firm);
const platformToken = async () =>
  (await createUserWithToken(gateway, { firm, scopes: ['platform:write'] })).token;
const traderWrites = (platform: string, ticket: string, body = 'hello', from = trader.email) =>
  call('platform.write', { ticket, from, body }, platform);

describe('the trader’s side', () => {
  test('opens a ticket that the assistant answers, or that awaits the team and notifies it', async () => {
    const platform = await platformToken();
    const opened = await call(
      'platform.open',
      { from: trader.email.toUpperCase(), subject: 'Payout late', body: 'Where is it?', via_email: true },
      platform,
    );
    expect(opened).toMatchObject({
      object: 'trader_wrote',
      opened: true,
      ticket: {
        subject: 'Payout late',
        status: 'open',
        priority: 'normal',
        ai_enabled: true,
        unread: 1,
        last_from: 'trader',
        last_message_at: now(),
        created_at: now(),
        closed_at: null,
        trader: { id: trader.id },
      },
      message: {
        from: 'trader',
        author: 'Robin Example',
        body: 'Where is it?',
        via_email: true,
        internal: false,
      },
    });
    expect(await notifications()).toEqual([]);
    const forTeam = await call(
      'platform.open',
      { from: trader.email, subject: 'Again', body: 'Hello?', ai_enabled: false, priority: 'high' },
      platform,
    );
    expect(forTeam.ticket).toMatchObject({ status: 'awaiting_admin', priority: 'high', ai_enabled: false });
    expect(await notifications()).toMatchObject([{ user_id: agent.id }]);
    expect((await call('list', { q: 'where payout' })).data).toMatchObject([{ id: opened.ticket.id }]);
  });

  test('moves the ticket to the assistant if it is on, else to the team, and restarts the waiting time', async () => {
    const platform = await platformToken();
    const withAi = await create({ status: 'awaiting_trader', aiEnabled: true });
    const withTeam = await create({ status: 'awaiting_trader', aiEnabled: false });
    minutesLater();
    expect((await traderWrites(platform, withAi)).ticket.status).toBe('open');
    const wrote = await traderWrites(platform, withTeam);
    expect(wrote).toMatchObject({
      opened: false,
      ticket: { id: withTeam, status: 'awaiting_admin', unread: 1 },
    });
    const earlier = await create({
      status: 'awaiting_admin',
      traderWroteAt: new Date(gateway.clock.now().getTime() - 1),
    });
    expect((await call('list', { status: 'waiting' })).data.map(({ id }: Ticket) => id)).toEqual([
      earlier,
      withTeam,
    ]);
  });

  test('opens a new ticket for a message to an ended one', async () => {
    const platform = await platformToken();
    const id = await create({ status: 'closed', subject: 'Payout late', priority: 'urgent' });
    const { opened, ticket, message } = await traderWrites(platform, id, 'still nothing');
    expect(opened).toBe(true);
    expect(ticket).toMatchObject({ subject: 'Payout late', priority: 'urgent', status: 'open' });
    expect(ticket.id).not.toBe(id);
    expect(message.ticket_id).toBe(ticket.id);
    expect(await get(id)).toMatchObject({ status: 'closed', unread: 0 });
  });

  test('calls the assistant back, unless the team has blocked it or has replied', async () => {
    const platform = await platformToken();
    const id = await create({ status: 'awaiting_admin', aiEnabled: false });
    const callBack = () => rpc('platform.callAssistant', { ticket: id, from: trader.email }, platform);
    await call('blockAssistant', { ticket: id, blocked: true });
    expect((await callBack()).code).toBe('assistant_unavailable');
    await call('blockAssistant', { ticket: id, blocked: false });
    expect((await callBack()).data).toMatchObject({ status: 'open', ai_enabled: true });
    await call('reply', { ticket: id, body: 'The team answers.' });
    expect((await callBack()).code).toBe('assistant_unavailable');
    await call('setStatus', { ticket: id, status: 'closed' });
    expect((await callBack()).code).toBe('ticket_ended');
  });

  test('is open only to members of the firm, for their own tickets', async () => {
    const platform = await platformToken();
    const other = await createWorkspace(gateway.services);
    const foreignTrader = await createUser(gateway.services, { firm: other, role: 'trader' });
    const otherTrader = await createUser(gateway.services, { firm, role: 'trader' });
    const foreign = await createTicket(gateway.services, { firm: other, trader: foreignTrader });
    const id = await create();
    for (const from of [foreignTrader.email, 'nobody@example.com']) {
      const { code, fields } = await rpc('platform.open', { from, subject: 'S', body: 'B' }, platform);
      expect([code, fields?.[0]?.path]).toEqual(['validation_failed', 'from']);
    }
    for (const [ticket, from] of [
      [id, otherTrader.email],
      [id, 'nobody@example.com'],
      [foreign, foreignTrader.email],
      [foreign, trader.email],
      [`tkt_${'0'.repeat(26)}`, trader.email],
    ]) {
      expect((await rpc('platform.write', { ticket, from, body: 'B' }, platform)).code).toBe(
        'resource_not_found',
      );
      expect((await rpc('platform.callAssistant', { ticket, from }, platform)).code).toBe(
        'resource_not_found',
      );
    }
    const { token: platformOnly } = await createUserWithToken(gateway, {
      firm: { id: 1, slug: PLATFORM, name: 'Platform' },
      scopes: ['platform:write'],
    });
    expect(
      (await rpc('platform.write', { ticket: id, from: trader.email, body: 'B' }, platformOnly)).code,
    ).toBe('workspace_required');
  });

  test('finds a trader’s tickets by the new name after traderRenamed', async () => {
    const platform = await platformToken();
    const id = await create({ subject: 'Hello' });
    const rename = (name: string) =>
      gateway.services.pool.query('update users set name = $2 where id = $1', [trader.id, name]);
    await rename('Żółć Quetzal');
    expect((await call('list', { q: 'quetzal' })).data).toEqual([]);
    expect(await call('platform.traderRenamed', { trader: trader.id }, platform)).toMatchObject({
      tickets: 1,
    });
    expect((await call('list', { q: 'zolc quetzal' })).data).toMatchObject([{ id }]);
    expect((await call('list', { q: 'robin' })).data).toEqual([]);
  });
});

describe('the unread count', () => {
  test('counts messages of trader and assistant, not of the team; the team’s reply resets it for every viewer', async () => {
    const platform = await platformToken();
    const id = await create({ status: 'awaiting_trader', aiEnabled: false });
    for (const body of ['one', 'two']) {
      minutesLater();
      await traderWrites(platform, id, body);
    }
    await call('addNote', { ticket: id, body: 'note' });
    expect((await get(id)).unread).toBe(2);
    using viewer = await followTicket({ url: gateway.url, token, ticket: id });
    minutesLater();
    const answeredAt = now();
    await call('reply', { ticket: id, body: 'answer' });
    expect((await get(id)).unread).toBe(0);
    const streamedUnread = () =>
      viewer.events
        .flatMap(({ data }) => (data.type === 'ticket.updated' ? [data.ticket.unread] : []))
        .at(-1);
    await vi.waitFor(() => expect(streamedUnread()).toBe(0), { timeout: 30_000 });
    minutesLater();
    await traderWrites(platform, id, 'three');
    expect((await get(id)).unread).toBe(1);
    const { data } = await call('messages', { ticket: id });
    expect(data.map((m: { body: string; read_at: string | null }) => [m.body, m.read_at])).toEqual([
      ['three', null],
      ['answer', null],
      ['note', null],
      ['two', answeredAt],
      ['one', answeredAt],
    ]);
  });

  test('is reset by markRead', async () => {
    const platform = await platformToken();
    const id = await create({ status: 'awaiting_trader', aiEnabled: false });
    for (const body of ['one', 'two']) {
      minutesLater();
      await traderWrites(platform, id, body);
    }
    expect((await get(id)).unread).toBe(2);
    minutesLater();
    expect((await call('markRead', { ticket: id })).unread).toBe(0);
    const { data } = await call('messages', { ticket: id });
    expect(data.map((m: { body: string; read_at: string | null }) => [m.body, m.read_at])).toEqual([
      ['two', now()],
      ['one', now()],
    ]);
    minutesLater();
    await call('markRead', { ticket: id });
    expect((await call('messages', { ticket: id })).data[0].read_at).not.toBe(now());
  });
});
