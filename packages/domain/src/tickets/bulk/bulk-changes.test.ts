import { type BulkChange, MAX_BULK_IDS, MAX_BULK_TICKETS } from '@firmdesk/contract';
import { createTag, createTeam, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, follow, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { runBulkChange } from './run-bulk-change.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const { pool } = services;
const permissions = ['view_tickets', 'manage_tickets'] as const;
let firm: Firm;
let token: string;
let user: TestUser;
let trader: TestUser;
const { call, rpc } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, token, user } = await createUserWithToken(gateway, { permissions: [...permissions] }));
  trader = await createUser(services, { firm, role: 'trader' });
});

const create = (input: object = {}) => createTicket(services, { firm, trader, ...input });
const run = ({ id }: BulkChange) => runBulkChange(services, { workspace: firm.id, id });
const read = ({ id }: BulkChange): Promise<BulkChange> => call('bulkChanges.get', { id });
const skipped = async ({ id }: BulkChange) => (await call('bulkChanges.skipped', { id, limit: 100 })).data;
/** Starts a bulk change and runs its job. */
async function change(input: object): Promise<BulkChange> {
  const started = await call('bulkChanges.start', input);
  await run(started);
  return read(started);
}
async function undo({ id }: BulkChange): Promise<BulkChange> {
  const started = await call('bulkChanges.undo', { id });
  await run(started);
  return read(started);
}
/** Inserts many tickets at once. */
async function createMany(count: number): Promise<void> {
  await pool.query(
    `insert into tickets (workspace_id, id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at, search_text)
     select $1::int, 'tkt_' || lpad($1::int::text, 6, '0') || lpad(n::text, 20, '0'), $2, 'Payout ' || n, 'awaiting_admin', now(), now(), now(),
       'payout ' || n
     from generate_series(1, $3::int) n`,
    [firm.id, trader.id, count],
  );
}

describe('a bulk change', () => {
  test('changes the tickets of a filter for everybody, and reports the others with the reason', async () => {
    const [waiting, urgent] = [
      await create({ status: 'awaiting_admin' }),
      await create({ status: 'awaiting_admin', priority: 'urgent' }),
    ];
    const ended = await create({ status: 'resolved' });
    using stream = await follow<{ type: string; ticket: { id: string; priority: string } }>(
      gateway.url,
      { token },
      (trpc, handlers) => trpc.tickets.live.subscribe({}, handlers as never),
    );
    const action = { set: 'priority', priority: 'urgent' };
    const started = await call('bulkChanges.start', { filter: { status: 'waiting' }, action });
    expect(started).toMatchObject({ object: 'bulk_change', state: 'running', tickets: 2, changed: 0 });
    await run(started);
    expect(await read(started)).toMatchObject({ state: 'done', tickets: 2, changed: 1, skipped: 1 });
    expect(await skipped(started)).toMatchObject([
      { id: urgent, reason: 'unchanged', subject: 'Payout question' },
    ]);
    expect(await call('get', { ticket: waiting })).toMatchObject({ priority: 'urgent' });
    expect(await call('get', { ticket: ended })).toMatchObject({ priority: 'normal' });
    await expect
      .poll(() => stream.events.map(({ data }) => data))
      .toMatchObject([{ type: 'ticket.updated', ticket: { id: waiting, priority: 'urgent' } }]);
  });

  test('leaves out the excluded tickets, and finds words', async () => {
    const [one, two] = [
      await create({ subject: 'Wire transfer' }),
      await create({ subject: 'Wire transfer' }),
    ];
    await create({ subject: 'Card' });
    const done = await change({
      filter: { q: 'wire' },
      except: [two],
      action: { set: 'assignee', assignee: user.id },
    });
    expect(done).toMatchObject({ tickets: 1, changed: 1 });
    expect((await call('get', { ticket: one })).assignee.id).toBe(user.id);
    expect((await call('get', { ticket: two })).assignee).toBeNull();
  });

  test('sets team, tag and status of named tickets, without notifying the team for each', async () => {
    const colleague = await createUser(services, { firm, permissions: [...permissions] });
    const team = await createTeam(services, { firm, members: [colleague] });
    const tag = await createTag(services, { firm, name: 'b-fee' });
    const other = await createTag(services, { firm, name: 'A-bonus' });
    const tickets = [await create({ status: 'open', tags: [other] }), await create({ status: 'closed' })];
    for (const action of [
      { set: 'team', team },
      { set: 'add_tag', tag },
      { set: 'status', status: 'awaiting_admin' },
    ])
      await change({ tickets, action });
    expect(await call('get', { ticket: tickets[0] })).toMatchObject({
      status: 'awaiting_admin',
      team: { id: team },
      tags: [{ name: 'A-bonus' }, { name: 'b-fee' }],
    });
    expect(await call('get', { ticket: tickets[1] })).toMatchObject({
      status: 'closed',
      team: { id: team },
      tags: [{ name: 'b-fee' }],
    });
    const absent = `tkt_${'0'.repeat(26)}`;
    const resolved = await change({
      tickets: [...tickets, absent],
      action: { set: 'status', status: 'resolved' },
    });
    expect(resolved).toMatchObject({ changed: 1, skipped: 2 });
    const reasons = (await skipped(resolved)).map(({ reason }: { reason: string }) => reason);
    expect(reasons.sort()).toEqual(['ended', 'not_found']);
    const removed = await change({ tickets, action: { set: 'remove_tag', tag: other } });
    expect(removed).toMatchObject({ changed: 1, skipped: 1 });
    const { rows } = await pool.query('select from notifications where workspace_id = $1', [firm.id]);
    expect(rows).toHaveLength(0);
  });

  test('neither finds nor changes the tickets of another firm', async () => {
    const other = await createUserWithToken(gateway, { permissions: [...permissions] });
    const ofOther = await createUser(services, { firm: other.firm, role: 'trader' });
    const ticket = await createTicket(services, { firm: other.firm, trader: ofOther });
    const action = { set: 'priority', priority: 'high' };
    const named = await change({ tickets: [ticket], action });
    expect(named).toMatchObject({ changed: 0, skipped: 1 });
    expect(await skipped(named)).toEqual([{ id: ticket, number: null, subject: null, reason: 'not_found' }]);
    expect(await call('bulkChanges.start', { filter: { q: ticket }, action })).toMatchObject({ tickets: 0 });
    const { priority } = await ticketCalls(gateway, () => other.token).call('get', { ticket });
    expect(priority).toBe('normal');
  });

  test('is undone: each ticket gets its own earlier value back, except those changed since', async () => {
    const tag = await createTag(services, { firm });
    const [open, waiting, changed] = [
      await create({ status: 'open', priority: 'low', tags: [tag] }),
      await create({ status: 'awaiting_admin', priority: 'urgent' }),
      await create({ status: 'awaiting_trader' }),
    ];
    const tickets = [open, waiting, changed];
    const high = await change({ tickets, action: { set: 'priority', priority: 'high' } });
    await call('setPriority', { ticket: changed, priority: 'low' });
    const resolved = await change({ tickets, action: { set: 'status', status: 'resolved' } });
    const tagged = await change({ tickets, action: { set: 'add_tag', tag } });
    expect(tagged).toMatchObject({ changed: 2, skipped: 1 });
    for (const each of [tagged, resolved]) expect(await undo(each)).toMatchObject({ state: 'undone' });
    expect(await undo(high)).toMatchObject({ state: 'undone', changed: 3, undone: 2 });
    expect(await skipped(high)).toMatchObject([{ id: changed, reason: 'changed_since' }]);
    expect(await call('get', { ticket: open })).toMatchObject({
      status: 'open',
      priority: 'low',
      closed_at: null,
      tags: [{ id: tag }],
    });
    expect(await call('get', { ticket: waiting })).toMatchObject({
      status: 'awaiting_admin',
      priority: 'urgent',
      tags: [],
    });
    expect(await call('get', { ticket: changed })).toMatchObject({
      status: 'awaiting_trader',
      priority: 'low',
    });
  });

  test('is not undone for a ticket that was merged since', async () => {
    const [ticket, into] = [
      await create({ status: 'awaiting_admin' }),
      await create({ status: 'awaiting_admin' }),
    ];
    const closed = await change({ tickets: [ticket], action: { set: 'status', status: 'closed' } });
    await call('undoEnd', { ticket, status: 'awaiting_admin' });
    await call('merge', { ticket, into });
    expect(await undo(closed)).toMatchObject({ state: 'undone', changed: 1, undone: 0 });
    expect(await skipped(closed)).toMatchObject([{ id: ticket, reason: 'changed_since' }]);
    expect(await call('get', { ticket })).toMatchObject({ status: 'closed' });
  });

  test('can be undone by its author only, until a minute after its end', async () => {
    const ticket = await create();
    const done = await change({ tickets: [ticket], action: { set: 'status', status: 'closed' } });
    const colleague = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
    const ofColleague = ticketCalls(gateway, () => colleague.token);
    for (const name of ['get', 'skipped', 'undo'])
      expect((await ofColleague.rpc(`bulkChanges.${name}`, { id: done.id })).code).toBe('resource_not_found');
    gateway.clock.advance(60_001);
    expect((await rpc('bulkChanges.undo', { id: done.id })).code).toBe('undo_expired');
    expect(await call('get', { ticket })).toMatchObject({ status: 'closed' });
  });

  test('stops when it is undone while it runs', async () => {
    await createMany(250);
    const started = await call('bulkChanges.start', {
      filter: {},
      action: { set: 'priority', priority: 'high' },
    });
    // A job that is told to stop finishes its batch and requests another job for the rest.
    await runBulkChange(services, { workspace: firm.id, id: started.id }, AbortSignal.abort());
    expect(await read(started)).toMatchObject({ state: 'running', changed: 100 });
    const { rows } = await pool.query(
      `select payload from job_requests where workspace_id = $1 and task = 'tickets.bulk_change'`,
      [firm.id],
    );
    expect(rows).toHaveLength(2);
    expect(await undo(started)).toMatchObject({ state: 'undone', changed: 100, undone: 100 });
    const { data } = await call('list', { priority: 'high' });
    expect(data).toEqual([]);
  });

  test('changes each ticket once when two jobs run it at the same time', async () => {
    await createMany(150);
    const started = await call('bulkChanges.start', {
      filter: {},
      action: { set: 'priority', priority: 'low' },
    });
    await Promise.all([run(started), run(started), run(started)]);
    expect(await read(started)).toMatchObject({ state: 'done', changed: 150, skipped: 0 });
    const { rows } = await pool.query('select subject from event_log where workspace_id = $1', [firm.id]);
    expect(rows).toHaveLength(150);
  });

  test('is started once for calls with the same key', async () => {
    const body = { tickets: [await create()], action: { set: 'priority', priority: 'low' } };
    const key = crypto.randomUUID();
    const first = await gateway.rpc('tickets.bulkChanges.start', { token, body, key });
    const again = await gateway.rpc('tickets.bulkChanges.start', { token, body, key });
    expect(again.data).toEqual(first.data);
    const { rows } = await pool.query('select id from bulk_changes where workspace_id = $1', [firm.id]);
    expect(rows).toEqual([{ id: first.data.id }]);
  });

  test('that matches no ticket is done at once', async () => {
    const done = await call('bulkChanges.start', {
      filter: { q: 'nothing' },
      action: { set: 'priority', priority: 'low' },
    });
    expect(done).toMatchObject({ state: 'done', tickets: 0 });
  });
});

describe('the limits of bulk changes', () => {
  const action = { set: 'priority', priority: 'high' };
  test(`accept ${MAX_BULK_TICKETS} tickets of a filter in one call, and reject more`, async () => {
    await createMany(MAX_BULK_TICKETS);
    const started = await call('bulkChanges.start', { filter: {}, action });
    expect(started).toMatchObject({ state: 'running', tickets: MAX_BULK_TICKETS });
    await create();
    const rejected = await rpc('bulkChanges.start', { filter: {}, action });
    expect(rejected).toMatchObject({ code: 'validation_failed', status: 422 });
    expect(JSON.stringify(rejected.body)).toContain('must match at most 20,000 tickets');
  });

  test('reject too many ids, a filter beside ids, and values of another firm', async () => {
    const other = await createUserWithToken(gateway, { permissions: [...permissions] });
    const [team, tag] = [
      await createTeam(services, { firm: other.firm }),
      await createTag(services, { firm: other.firm }),
    ];
    const tickets = [await create()];
    const ids = Array.from({ length: MAX_BULK_IDS + 1 }, (_, i) => `tkt_${String(i).padStart(26, '0')}`);
    for (const input of [
      { tickets: ids, action },
      { tickets: [], action },
      { tickets, filter: {}, action },
      { action },
      { tickets, action: { set: 'assignee', assignee: trader.id } },
      { tickets, action: { set: 'assignee', assignee: other.user.id } },
      { tickets, action: { set: 'team', team } },
      { tickets, action: { set: 'add_tag', tag } },
      { tickets, action: { set: 'status', status: 'open' } },
    ])
      expect((await rpc('bulkChanges.start', input)).code, JSON.stringify(input).slice(0, 80)).toBe(
        'validation_failed',
      );
    const allowed = await call('bulkChanges.start', { tickets: ids.slice(1), action });
    expect(allowed).toMatchObject({ tickets: MAX_BULK_IDS });
  });

  test('reject a fourth unfinished bulk change of an account', async () => {
    const input = { tickets: [await create()], action };
    const started = [];
    for (let i = 0; i < 3; i++) started.push(await call('bulkChanges.start', input));
    expect(await rpc('bulkChanges.start', input)).toMatchObject({ code: 'rate_limited', status: 429 });
    await run(started[0]);
    expect((await rpc('bulkChanges.start', input)).status).toBe(200);
  });

  test('accept three of ten bulk changes that an account starts at the same time', async () => {
    const input = { tickets: [await create()], action };
    const answers = await Promise.all(Array.from({ length: 10 }, () => rpc('bulkChanges.start', input)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(200),
      ...Array(7).fill(429),
    ]);
  });

  test('do not add a tag to a ticket that has 20', async () => {
    const tags = [];
    for (let i = 0; i < 21; i++) tags.push(await createTag(services, { firm }));
    const ticket = await create({ tags: tags.slice(0, 20) });
    const done = await change({ tickets: [ticket], action: { set: 'add_tag', tag: tags[20] } });
    expect(done).toMatchObject({ changed: 0, skipped: 1 });
    expect(await skipped(done)).toMatchObject([{ id: ticket, reason: 'too_many_tags' }]);
  });
});
