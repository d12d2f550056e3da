import {
  MAX_TICKET_VIEWS,
  MAX_VIEW_COUNT,
  MAX_VIEW_NAME,
  type TicketView,
  type TicketViewStreamEvent,
} from '@firmdesk/contract';
import { createTeam, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  follow,
  suiteGateway,
  ticketCalls,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;
let colleague: { user: TestUser; token: string };
let team: number;
const { call, rpc } = ticketCalls(gateway, () => token);
const ofColleague = ticketCalls(gateway, () => colleague.token);

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, { permissions: ['view_tickets'] }));
  colleague = await createUserWithToken(gateway, { firm, permissions: ['view_tickets'] });
  team = await createTeam(services, { firm, members: [user, colleague.user] });
});

const create = (name: string, over: object = {}): Promise<TicketView> => {
  gateway.clock.advance(1_000);
  return call('views.create', { name, search: {}, ...over });
};
const names = async (of = { call }) =>
  (await of.call('views.list')).views.map(({ name }: TicketView) => name);

describe('saved views', () => {
  test('belong to the account, and are seen by nobody else', async () => {
    const search = { status: 'waiting', priority: 'urgent', q: 'payout', sort: '-created_at' };
    const view = await create('Urgent payouts', { search });
    expect(view).toMatchObject({ object: 'ticket_view', name: 'Urgent payouts', team: null, search });
    expect((await call('views.list')).views).toEqual([view]);
    expect(await names(ofColleague)).toEqual([]);
    for (const name of ['update', 'delete'])
      expect((await ofColleague.rpc(`views.${name}`, { id: view.id })).code).toBe('resource_not_found');
  });

  test('are followed live: those of teams by all agents, the others in all windows of their account', async () => {
    const open = (as: string) =>
      follow<TicketViewStreamEvent>(gateway.url, { token: as }, (trpc, handlers) =>
        trpc.tickets.views.live.subscribe({}, handlers),
      );
    using stream = await open(colleague.token);
    using otherWindow = await open(await tokenOf(gateway, user, firm.slug));
    const own = await create('Own');
    await call('views.update', { id: own.id, name: 'Still own' });
    await call('views.reorder', { views: [own.id] });
    await call('views.delete', { id: own.id });
    const shared = await create('Shared', { team });
    await call('views.update', { id: shared.id, name: 'Renamed' });
    await call('views.update', { id: shared.id, team: null });
    await call('views.update', { id: shared.id, team });
    await call('views.delete', { id: shared.id });
    await expect.poll(() => stream.events.length).toBe(5);
    await expect.poll(() => otherWindow.events.length).toBe(9);
    for (const { data } of [...stream.events, ...otherWindow.events])
      expect(data).toEqual({ type: 'ticket_views.changed' });
  });

  test('are shared with a team, whose members can change them, and taken back', async () => {
    const outsider = await createUserWithToken(gateway, { firm, permissions: ['view_tickets'] });
    const view = await create('Waiting', { team });
    expect(await names(ofColleague)).toEqual(['Waiting']);
    expect(await names(ticketCalls(gateway, () => outsider.token))).toEqual([]);
    const changed = { id: view.id, name: 'Still waiting', search: { status: 'waiting' } };
    await ofColleague.call('views.update', changed);
    expect((await call('views.list')).views).toMatchObject([{ ...changed, team }]);
    await ofColleague.call('views.update', { id: view.id, team: null });
    expect(await names()).toEqual([]);
    expect(await names(ofColleague)).toEqual(['Still waiting']);
    await ofColleague.call('views.delete', { id: view.id });
    expect(await names(ofColleague)).toEqual([]);
  });

  test('are in the order that each account has chosen, new ones last', async () => {
    const [a, b, c] = [await create('A', { team }), await create('B', { team }), await create('C', { team })];
    expect(await names()).toEqual(['A', 'B', 'C']);
    const absent = `view_${'0'.repeat(26)}`;
    const ordered = await call('views.reorder', { views: [c.id, absent, a.id, a.id, b.id] });
    expect(ordered.views.map(({ name }: TicketView) => name)).toEqual(['C', 'A', 'B']);
    expect(await names(ofColleague)).toEqual(['A', 'B', 'C']);
    await create('D');
    expect(await names()).toEqual(['C', 'A', 'B', 'D']);
  });

  test('carry the number of their tickets, up to a maximum', async () => {
    const trader = await createUser(services, { firm, role: 'trader' });
    const ticket = (over: object) =>
      createTicket(services, { firm, trader, status: 'awaiting_admin', ...over });
    await ticket({ assignee: user, subject: 'Wire transfer' });
    await ticket({ assignee: colleague.user });
    await services.pool.query(
      `insert into tickets (workspace_id, id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at, search_text)
       select $1::int, 'tkt_' || lpad($1::int::text, 6, '0') || lpad(n::text, 20, '0'), $2, 'Card', 'open', now(), now(), now(), 'card'
       from generate_series(1, $3::int) n`,
      [firm.id, trader.id, MAX_VIEW_COUNT + 10],
    );
    const waiting = await create('Waiting', { team, search: { status: 'waiting' } });
    const mine = await create('Mine', { team, search: { assignee: 'me' } });
    const wire = await create('Wire', { search: { q: 'wire', sort: '-created_at' } });
    const open = await create('Open', { search: { status: 'ai' } });
    expect((await call('views.counts')).counts).toEqual({
      [waiting.id]: 2,
      [mine.id]: 1,
      [wire.id]: 1,
      [open.id]: MAX_VIEW_COUNT + 1,
    });
    expect((await ofColleague.call('views.counts')).counts).toEqual({ [waiting.id]: 2, [mine.id]: 1 });
  });

  test('count the days of each member’s time zone', async () => {
    const trader = await createUser(services, { firm, role: 'trader' });
    const ticket = await createTicket(services, { firm, trader, status: 'awaiting_admin' });
    await services.pool.query(
      `update tickets set last_message_at = '2026-03-01T23:30:00Z' where workspace_id = $1 and id = $2`,
      [firm.id, ticket],
    );
    const zone = (of: TestUser, timezone: string) =>
      services.pool.query('update users set timezone = $2 where id = $1', [of.id, timezone]);
    await zone(user, 'UTC');
    await zone(colleague.user, 'Europe/Berlin');
    const view = await create('March', { team, search: { after: '2026-03-02' } });
    expect((await call('views.counts')).counts).toEqual({ [view.id]: 0 });
    expect((await ofColleague.call('views.counts')).counts).toEqual({ [view.id]: 1 });
  });

  test('are counted anew after an own change, except searches for words', async () => {
    const trader = await createUser(services, { firm, role: 'trader' });
    const ticket = () =>
      createTicket(services, { firm, trader, status: 'awaiting_admin', subject: 'Wire transfer' });
    await ticket();
    const waiting = await create('Waiting', { search: { status: 'waiting' } });
    const wire = await create('Wire', { search: { q: 'wire' } });
    const counts = async (input: object) => [
      (await call('views.counts', input)).counts,
      (await call('counts', input)).waiting,
    ];
    const before = [{ [waiting.id]: 1, [wire.id]: 1 }, 1];
    expect(await counts({})).toEqual(before);
    await ticket();
    expect(await counts({})).toEqual(before);
    const after = [{ [waiting.id]: 2, [wire.id]: 1 }, 2];
    expect(await counts({ fresh: true })).toEqual(after);
    expect(await counts({})).toEqual(after);
  });

  test('are saved once by two calls at the same time', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => rpc('views.create', { name: 'Twice', search: {} })),
    );
    expect(answers.map(({ code }) => code).sort()).toEqual([null, 'validation_failed', 'validation_failed']);
    expect(await names()).toEqual(['Twice']);
  });

  test('reject a name twice, a foreign team, unknown filters and more than the maximum', async () => {
    const view = await create('Waiting');
    await create('Waiting', { team });
    const other = await createTeam(services, { firm, members: [colleague.user] });
    const elsewhere = await createUserWithToken(gateway, { permissions: ['view_tickets'] });
    const foreign = await createTeam(services, { firm: elsewhere.firm, members: [user] });
    for (const input of [
      { name: 'Waiting', search: {} },
      { name: ' Waiting ', search: {} },
      { name: 'x'.repeat(MAX_VIEW_NAME + 1), search: {} },
      { name: '', search: {} },
      { name: 'Other', team: other, search: {} },
      { name: 'Other', team: foreign, search: {} },
      { name: 'Other', search: { status: 'colour' } },
    ])
      expect((await rpc('views.create', input)).code, JSON.stringify(input)).toBe('validation_failed');
    expect((await rpc('views.update', { id: view.id, team })).code).toBe('validation_failed');
    expect((await rpc('views.update', { id: view.id, team: other })).code).toBe('validation_failed');
    for (let i = 2; i < MAX_TICKET_VIEWS; i++) await create(`View ${i}`);
    const more = await Promise.all(
      [1, 2, 3, 4].map((i) => rpc('views.create', { name: `More ${i}`, search: {} })),
    );
    expect(more.map(({ code }) => code).sort()).toEqual([null, ...Array(3).fill('validation_failed')].sort());
    const renamed = await call('views.update', { id: view.id, name: 'Renamed' });
    expect(renamed).toMatchObject({ name: 'Renamed', team: null });
  });
});
