import { createTag, createTeam, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { listAuditEvents } from '../../access/audit/list-audit-events.ts';
import { withTransaction } from '../../index.ts';
import { recordTicketChanges } from './history.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let ada: TestUser;
let token: string;
let trader: TestUser;
let ticket: string;
const { call, rpc } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  const permissions = ['view_tickets', 'manage_tickets'] as const;
  ({
    firm,
    user: ada,
    token,
  } = await createUserWithToken(gateway, { name: 'Ada Able', permissions: [...permissions] }));
  trader = await createUser(services, { firm, role: 'trader', name: 'Tina Trader' });
  ticket = await createTicket(services, {
    firm,
    trader,
    status: 'awaiting_admin',
    aiEnabled: false,
    messages: [{ body: 'Where is my payout?' }],
  });
});

const history = async (input: object = {}) => call('history', { ticket, ...input });
/** The authors and changes, oldest first. */
const told = async () =>
  (await history()).data
    .map(({ author, changes }: { author: { name: string } | null; changes: object[] }) => [
      author?.name ?? null,
      ...changes,
    ])
    .reverse();

describe('the history of a ticket', () => {
  test('names each change, its author and its time', async () => {
    const ben = await createUser(services, {
      firm,
      name: 'Ben Best',
      permissions: ['view_tickets', 'manage_tickets'],
    });
    const team = await createTeam(services, { firm, name: 'Payouts', members: [ben] });
    const [urgent, vip] = [
      await createTag(services, { firm, name: 'urgent' }),
      await createTag(services, { firm, name: 'vip' }),
    ];
    const at = gateway.clock.now().toISOString();
    await call('assign', { ticket, assignee: ben.id, team });
    await call('setPriority', { ticket, priority: 'high' });
    await call('setTags', { ticket, tags: [urgent] });
    await call('setTags', { ticket, tags: [vip] });
    await call('switchAssistant', { ticket, enabled: true });
    await call('switchAssistant', { ticket, enabled: false });
    await call('blockAssistant', { ticket, blocked: true });
    await call('assign', { ticket, assignee: null });
    await call('setStatus', { ticket, status: 'resolved' });
    expect((await history()).data[0]).toMatchObject({
      object: 'ticket_history_entry',
      created_at: at,
      author: { id: ada.id, name: 'Ada Able' },
    });
    const tag = (id: number, name: string) => expect.objectContaining({ id, name });
    expect(
      (await told()).flatMap(([author, ...changes]: unknown[]) => changes.map((each) => [author, each])),
    ).toEqual(
      [
        { property: 'assignee', before: null, after: { id: ben.id, name: 'Ben Best' } },
        { property: 'team', before: null, after: { id: team, name: 'Payouts' } },
        { property: 'priority', before: 'normal', after: 'high' },
        { property: 'tags', added: [tag(urgent, 'urgent')], removed: [] },
        { property: 'tags', added: [tag(vip, 'vip')], removed: [tag(urgent, 'urgent')] },
        { property: 'status', before: 'awaiting_admin', after: 'open' },
        { property: 'assistant', after: true },
        { property: 'status', before: 'open', after: 'awaiting_admin' },
        { property: 'assistant', after: false },
        { property: 'assistant_blocked', after: true },
        { property: 'assignee', before: { id: ben.id, name: 'Ben Best' }, after: null },
        { property: 'status', before: 'awaiting_admin', after: 'resolved' },
      ].map((change) => ['Ada Able', change]),
    );
  });

  test('contains the changes that messages cause, at the time of the message', async () => {
    const { token: platform } = await createUserWithToken(gateway, { firm, scopes: ['platform:write'] });
    const { created_at } = await call('reply', { ticket, body: 'Paid.' });
    await call('platform.write', { ticket, from: trader.email, body: 'Thanks!' }, platform);
    expect(await told()).toEqual([
      ['Ada Able', { property: 'status', before: 'awaiting_admin', after: 'awaiting_trader' }],
      ['Tina Trader', { property: 'status', before: 'awaiting_trader', after: 'awaiting_admin' }],
    ]);
    expect((await history()).data[1]).toMatchObject({ created_at, automatic: true });
  });

  test('can leave out the changes that messages cause, also between others', async () => {
    await call('setPriority', { ticket, priority: 'high' });
    await call('reply', { ticket, body: 'Paid.' });
    await call('setStatus', { ticket, status: 'awaiting_admin' });
    await call('reply', {
      ticket,
      body: 'Really.',
      actions: { status: 'resolved', priority: 'low', add_tags: [], assignee: null },
    });
    const shown = (page: { data: { automatic: boolean; changes: object[] }[] }) =>
      page.data.map(({ automatic, changes }) => [automatic, ...changes]);
    const first = await history({ include_automatic: false, limit: 2 });
    const second = await history({
      include_automatic: false,
      starting_after: first.meta.next_cursor,
    });
    expect([...shown(first), ...shown(second)]).toEqual([
      [false, { property: 'status', before: 'awaiting_trader', after: 'resolved' }],
      [false, { property: 'priority', before: 'high', after: 'low' }],
      [false, { property: 'status', before: 'awaiting_trader', after: 'awaiting_admin' }],
      [false, { property: 'priority', before: 'normal', after: 'high' }],
    ]);
    expect((await history()).data).toHaveLength(6);
  });

  test('omits changes that change nothing, and those that failed', async () => {
    const tag = await createTag(services, { firm });
    await call('setTags', { ticket, tags: [tag] });
    await call('setTags', { ticket, tags: [tag] });
    await call('setPriority', { ticket, priority: 'normal' });
    await call('assign', { ticket, assignee: null });
    await call('markRead', { ticket });
    expect((await rpc('assign', { ticket, assignee: `usr_${'0'.repeat(26)}` })).code).toBe(
      'validation_failed',
    );
    expect(await told()).toHaveLength(1);
  });

  test('shows the names of today, and "Former user" for an erased account', async () => {
    const ben = await createUser(services, {
      firm,
      name: 'Ben Best',
      permissions: ['view_tickets', 'manage_tickets'],
    });
    await call('assign', { ticket, assignee: ben.id });
    await services.pool.query(`update users set name = 'Ben Better' where id = $1`, [ben.id]);
    expect(await told()).toMatchObject([['Ada Able', { after: { name: 'Ben Better' } }]]);
    const { rows } = await services.pool.query(
      `select before, after from audit_events where workspace_id = $1 and target_id = $2`,
      [firm.id, ticket],
    );
    expect(rows).toEqual([{ before: { assignee_id: null }, after: { assignee_id: ben.id } }]);
  });

  test('is paged, newest first', async () => {
    for (const priority of ['high', 'low', 'urgent']) await call('setPriority', { ticket, priority });
    const first = await history({ limit: 2 });
    expect(first.meta.has_more).toBe(true);
    const second = await history({ limit: 2, starting_after: first.meta.next_cursor });
    expect(second.meta).toEqual({ has_more: false, next_cursor: null });
    expect(
      [...first.data, ...second.data].map(
        ({ changes }: { changes: { after: string }[] }) => changes[0]!.after,
      ),
    ).toEqual(['urgent', 'low', 'high']);
    expect((await rpc('history', { ticket, starting_after: 'x' })).code).toBe('invalid_cursor');
    expect((await rpc('history', { ticket: `tkt_${'0'.repeat(26)}` })).code).toBe('resource_not_found');
  });
});

test('changes of many tickets are recorded at once, without those that change nothing', async () => {
  const ids = await Promise.all(
    Array.from({ length: 3 }, () => createTicket(services, { firm, trader, status: 'awaiting_admin' })),
  );
  await withTransaction(services, (ctx) =>
    recordTicketChanges(
      ctx,
      firm.id,
      ada.id,
      ids.map((id, index) => ({
        ticket: id,
        before: { priority: index === 0 ? 'high' : 'normal', status: 'awaiting_admin' },
        after: { priority: 'high' },
      })),
    ),
  );
  const changes = await Promise.all(
    ids.map(async (id) =>
      (await call('history', { ticket: id })).data.map((entry: { changes: unknown }) => entry.changes),
    ),
  );
  const change = [[{ property: 'priority', before: 'normal', after: 'high' }]];
  expect(changes).toEqual([[], change, change]);
});

test('`ops audit list` shows changes of tickets only for a ticket', async () => {
  await call('setPriority', { ticket, priority: 'high' });
  const list = (target?: string) =>
    withTransaction(services, (ctx) => listAuditEvents(ctx, { workspace: firm.slug, target, limit: 50 }));
  expect((await list()).map(({ target_type }) => target_type)).not.toContain('ticket');
  expect(await list(ticket)).toMatchObject([
    { actor_kind: 'account', actor: ada.id, action: 'ticket.changed', after: { priority: 'high' } },
  ]);
});
