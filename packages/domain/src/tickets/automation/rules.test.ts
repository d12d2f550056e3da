/** Rules for tickets: what starts them, what they compare, what they do, and their limits. */
import type { FirmStreamEvent, Permission } from '@firmdesk/contract';
import { createTag, createTeam, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  follow,
  notificationsOf,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { openTicket, writeTraderMessage } from '../messages/trader-messages.ts';
import { runDueRules, runRules } from './run-rules.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const permissions: Permission[] = ['view_tickets', 'manage_tickets', 'manage_settings', 'manage_assistant'];
let firm: Firm;
let token: string;
let lead: TestUser;
let trader: TestUser;
const { call, rpc, get, bodiesOf } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, token, user: lead } = await createUserWithToken(gateway, { permissions }));
  trader = await createUser(services, { firm, role: 'trader' });
});

const create = (name: string, more: object) => call('rules.create', { name, ...more });
const work = (ticket: string) => runRules(services, { workspace: firm.id, ticket });
const note = (body: string) => ({ set: 'note', body });

async function open(body = 'Where is my payout?', subject = 'Money'): Promise<string> {
  const { ticket } = await withTransaction(services, (ctx) =>
    openTicket(
      { ...ctx, workspace: firm },
      { from: trader.email, subject, priority: 'normal', ai_enabled: false, body, via_email: false },
    ),
  );
  return ticket.id;
}

async function write(ticket: string, body: string): Promise<void> {
  await withTransaction(services, (ctx) =>
    writeTraderMessage({ ...ctx, workspace: firm }, { ticket, from: trader.email, body, via_email: false }),
  );
}

/** Moves the times of what waits into the past, by minutes. */
const pass = (minutes: number) =>
  services.pool.query(
    `update rule_events set due_at = (due_at at time zone 'UTC' - $2 * interval '1 minute') at time zone 'UTC' where workspace_id = $1`,
    [firm.id, minutes],
  );

describe('a rule starts', () => {
  test('when a ticket arrives, when its trader writes again, and when a property changes', async () => {
    await create('Arrived', { trigger: { on: 'ticket_arrived' }, actions: [note('arrived')] });
    await create('Wrote', { trigger: { on: 'trader_wrote' }, actions: [note('wrote')] });
    await create('Urgent', {
      trigger: { on: 'property_changed', property: 'priority' },
      conditions: { filter: { priority: 'urgent' } },
      actions: [note('urgent')],
    });
    const ticket = await open();
    await write(ticket, 'Hello?');
    await call('setPriority', { ticket, priority: 'high' });
    await call('setPriority', { ticket, priority: 'urgent' });
    await work(ticket);
    expect((await bodiesOf(ticket)).slice(2)).toEqual(['arrived', 'wrote', 'urgent']);
    await work(ticket);
    expect(await bodiesOf(ticket)).toHaveLength(5);
  });

  test('when a ticket has waited, unless somebody wrote since', async () => {
    const waiting = (whom: string, minutes: number) => ({ trigger: { on: 'waiting', for: whom, minutes } });
    await create('Slow', { ...waiting('team', 60), actions: [{ set: 'priority', priority: 'high' }] });
    await create('Silent', { ...waiting('trader', 600), actions: [{ set: 'status', status: 'resolved' }] });
    const [slow, answered] = [await open(), await open()];
    await call('reply', { ticket: answered, body: 'Paid.' });
    await pass(61);
    await runDueRules(services, {});
    expect([(await get(slow)).priority, (await get(answered)).priority]).toEqual(['high', 'normal']);
    await pass(600);
    await runDueRules(services, {});
    expect([(await get(slow)).status, (await get(answered)).status]).toEqual(['awaiting_admin', 'resolved']);
  });

  test('when an SLA target is missed', async () => {
    await create('Late', { trigger: { on: 'sla_breached' }, actions: [note('late')] });
    const none = { first_response_minutes: null, resolution_minutes: null };
    const targets = { urgent: none, high: none, normal: { ...none, first_response_minutes: 30 }, low: none };
    await call('serviceTargets.set', { targets, warn_minutes: null, hours: null });
    const [late, answered] = [await open(), await open()];
    await call('reply', { ticket: answered, body: 'Paid.' });
    await runDueRules(services, {});
    expect(await bodiesOf(late)).toHaveLength(1);
    await pass(31);
    await runDueRules(services, {});
    expect((await bodiesOf(late)).at(-1)).toBe('late');
    expect(await bodiesOf(answered)).toHaveLength(2);
  });

  test('for a ticket that is older than the rule, when the rest of its time is over; never if it is over already', async () => {
    const waiting = { trigger: { on: 'waiting', for: 'team', minutes: 60 } };
    const [long, shortly, answered] = [await open(), await open(), await open()];
    const ago = (minutes: number) => new Date(gateway.clock.now().getTime() - minutes * 60_000).toISOString();
    const move = (ticket: string, minutes: number) =>
      services.pool.query(
        'update tickets set last_message_at = $3, trader_wrote_at = $3 where workspace_id = $1 and id = $2',
        [firm.id, ticket, ago(minutes)],
      );
    await move(long, 61);
    await move(shortly, 20);
    await call('reply', { ticket: answered, body: 'Paid.' });
    const preview = async (trigger: object) =>
      Object.fromEntries(
        (await call('rules.preview', { trigger })).matches.map(
          ({ id, runs_at }: { id: string; runs_at: string | null }) => [id, runs_at],
        ),
      );
    expect(await preview(waiting.trigger)).toEqual({ [long]: null, [shortly]: ago(-40), [answered]: null });
    expect(new Set(Object.values(await preview({ on: 'ticket_arrived' })))).toEqual(new Set([null]));
    const slow = await create('Slow', { ...waiting, actions: [note('slow')] });
    // Saving it again, or another rule for the same time, records nothing twice.
    await call('rules.update', { id: slow.id, name: 'Slow', ...waiting, actions: [note('slow')] });
    await create('Off', { ...waiting, enabled: false, actions: [note('off')] });
    await pass(39);
    await runDueRules(services, {});
    expect(await bodiesOf(shortly)).toHaveLength(1);
    await pass(2);
    await runDueRules(services, {});
    expect((await bodiesOf(shortly)).slice(1)).toEqual(['slow']);
    expect([await bodiesOf(long), await bodiesOf(answered)]).toEqual([
      ['Where is my payout?'],
      ['Where is my payout?', 'Paid.'],
    ]);
  });

  test('and a rule that is saved with ever other times leaves one wait for each ticket', async () => {
    await open();
    const waiting = (minutes: number) => ({
      trigger: { on: 'waiting', for: 'team', minutes },
      actions: [note('x')],
    });
    const waits = async () =>
      (await services.pool.query('select body from rule_events where workspace_id = $1', [firm.id])).rows
        .length;
    const { id } = await create('Slow', waiting(60));
    const other = await create('Other', waiting(90));
    for (const minutes of [61, 62, 63]) await call('rules.update', { id, name: 'Slow', ...waiting(minutes) });
    expect(await waits()).toBe(2);
    await call('rules.update', { id, name: 'Slow', ...waiting(64), enabled: false });
    expect(await waits()).toBe(1);
    await call('rules.delete', { id: other.id });
    expect(await waits()).toBe(0);
  });

  test('for an SLA target that was set before the rule, if it is missed after', async () => {
    const none = { first_response_minutes: null, resolution_minutes: null };
    const targets = { urgent: none, high: none, normal: { ...none, first_response_minutes: 30 }, low: none };
    await call('serviceTargets.set', { targets, warn_minutes: null, hours: null });
    const [late, before] = [await open(), await open()];
    await services.pool.query(
      'update tickets set first_response_due_at = $3 where workspace_id = $1 and id = $2',
      [firm.id, before, new Date(gateway.clock.now().getTime() - 60_000).toISOString()],
    );
    await create('Late', { trigger: { on: 'sla_breached' }, actions: [note('late')] });
    await pass(31);
    await runDueRules(services, {});
    expect((await bodiesOf(late)).at(-1)).toBe('late');
    expect(await bodiesOf(before)).toHaveLength(1);
  });
});

test('changes of rules and of the assignment are seen by other windows', async () => {
  using stream = await follow<FirmStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
    trpc.firm.live.subscribe({}, handlers),
  );
  const seen = () => stream.events.map(({ data }) => ('what' in data ? data.what : data.type));
  const { id } = await create('Rule', { trigger: { on: 'ticket_arrived' }, actions: [note('x')] });
  await expect.poll(seen).toEqual(['rules']);
  await call('rules.delete', { id });
  await call('assignment.setAgent', { agent: lead.id, available: false });
  await expect.poll(seen).toEqual(['rules', 'rules', 'assignment']);
});

test('conditions: words in any form, the language and the profile of the trader', async () => {
  await services.pool.query(
    `insert into trader_profiles (workspace_id, user_id, country, language, data, layout, updated_at)
     values ($1, $2, 'DE', 'pt-BR', $3, '[]', now())`,
    [firm.id, trader.id, JSON.stringify({ account: { balance: 1_200, 'plan/tier': 'Gold' } })],
  );
  await open('Où est mon REMBOURSEMENT ?');
  const matches = async (conditions: object) =>
    (await call('rules.preview', { trigger: { on: 'ticket_arrived' }, conditions })).matches.length;
  const balance = { field: '/account/balance', is: 'at_least' };
  expect(await matches({})).toBe(1);
  expect(await matches({ words: ['refund', 'ou remboursement'] })).toBe(1);
  expect(await matches({ words: ['100%'] })).toBe(0);
  expect(await matches({ languages: ['pt'] })).toBe(1);
  expect(await matches({ languages: ['en', 'de'] })).toBe(0);
  expect(await matches({ profile: [{ field: 'country', is: 'equal', value: 'de' }] })).toBe(1);
  expect(await matches({ profile: [{ field: '/account/plan~1tier', is: 'equal', value: 'gold' }] })).toBe(1);
  expect(await matches({ profile: [{ ...balance, value: '1200' }] })).toBe(1);
  expect(await matches({ profile: [{ ...balance, value: '1200.5' }] })).toBe(0);
  expect(await matches({ profile: [{ ...balance, field: '/account/plan~1tier', value: '1' }] })).toBe(0);
  expect(await matches({ filter: { status: 'waiting', priority: '-urgent', assignee: 'none' } })).toBe(1);
});

test('actions: each changes the ticket once, and the history names the rule', async () => {
  const team = await createTeam(services, { firm });
  const tag = await createTag(services, { firm });
  const macro = await gateway.rpc('macros.create', {
    token,
    body: {
      name: 'Thanks',
      team: null,
      texts: [{ language: 'en', text: 'Dear {{trader.first_name}}, thanks.' }],
    },
  });
  const rule = await create('Triage', {
    trigger: { on: 'ticket_arrived' },
    actions: [
      { set: 'team', team },
      { set: 'assignee', assignee: lead.id },
      { set: 'add_tag', tag },
      { set: 'priority', priority: 'high' },
      { set: 'macro', macro: macro.data.id },
      { set: 'notification', agent: null },
      { set: 'assistant', enabled: true },
      note('By Triage'),
    ],
  });
  const ticket = await open();
  await Promise.all([work(ticket), work(ticket), work(ticket)]);
  expect(await get(ticket)).toMatchObject({
    team: { id: team },
    assignee: { id: lead.id },
    tags: [{ id: tag }],
    ...{ priority: 'high', ai_enabled: true, last_from: 'system' },
  });
  const first = (await get(ticket)).trader.name.split(' ')[0];
  expect((await bodiesOf(ticket)).slice(1)).toEqual([`Dear ${first}, thanks.`, 'By Triage']);
  const { data } = await call('history', { ticket, limit: 50 });
  const by = data.filter(({ reason }: { reason: unknown }) => reason !== null);
  expect(by.every((entry: object) => Object.entries(entry).length > 0)).toBe(true);
  expect(by.map(({ reason }: { reason: object }) => reason)).toEqual(
    by.map(() => ({ kind: 'rule', id: rule.id, name: 'Triage' })),
  );
  const properties = by.flatMap(({ changes }: { changes: { property: string }[] }) =>
    changes.map(({ property }) => property),
  );
  expect(properties.toReversed()).toEqual(
    expect.arrayContaining(['team', 'assignee', 'tags', 'priority', 'assistant', 'rule_effect']),
  );
  expect(properties.filter((property: string) => property === 'rule_effect')).toHaveLength(3);
});

test('rules run in their order; one that stops leaves out those after it', async () => {
  const on = { trigger: { on: 'ticket_arrived' } };
  await create('Last', { ...on, actions: [note('3')] });
  const first = await create('First', { ...on, actions: [note('1')] });
  await create('Stop', { ...on, stops: true, actions: [note('2')] });
  const { rules } = await call('rules.list');
  await call('rules.move', { id: first.id, before: rules[0].id });
  await call('rules.move', { id: rules[0].id, before: null });
  const ticket = await open();
  await work(ticket);
  expect((await bodiesOf(ticket)).slice(1)).toEqual(['1', '2']);
});

test('a rule never starts itself, also not through others', async () => {
  const changed = { trigger: { on: 'property_changed', property: 'priority' } };
  const to = (from: string, priority: string) => ({
    ...changed,
    conditions: { filter: { priority: from } },
    actions: [{ set: 'priority', priority }, note(`${from} to ${priority}`)],
  });
  await create('Up', to('low', 'high'));
  await create('Down', to('high', 'low'));
  const ticket = await createTicket(services, { firm, trader, status: 'awaiting_admin' });
  await call('setPriority', { ticket, priority: 'low' });
  await work(ticket);
  expect(await bodiesOf(ticket)).toEqual(['low to high', 'high to low']);
  expect((await get(ticket)).priority).toBe('low');
});

test('a person’s assignment between an event and its rule is kept', async () => {
  const other = await createUser(services, { firm, permissions });
  await create('Mine', {
    trigger: { on: 'ticket_arrived' },
    actions: [{ set: 'assignee', assignee: other.id }],
  });
  const [taken, free] = [await open(), await open()];
  await call('assign', { ticket: taken, assignee: lead.id });
  await work(taken);
  await work(free);
  expect([(await get(taken)).assignee.id, (await get(free)).assignee.id]).toEqual([lead.id, other.id]);
});

test('a rule that fails switches itself off and tells its author; the others run', async () => {
  const agent = await createUser(services, { firm, permissions });
  const on = { trigger: { on: 'ticket_arrived' } };
  await create('Before', { ...on, actions: [note('before')] });
  await create('Broken', { ...on, actions: [note('half'), { set: 'assignee', assignee: agent.id }] });
  await create('After', { ...on, actions: [note('after')] });
  await services.pool.query('update memberships set active = false where user_id = $1', [agent.id]);
  const ticket = await open();
  await work(ticket);
  expect((await bodiesOf(ticket)).slice(1)).toEqual(['before', 'after']);
  const { rules } = await call('rules.list');
  expect(rules[1]).toMatchObject({ enabled: false, paused_because: expect.stringContaining('agent') });
  const told = (await notificationsOf(gateway, firm)).filter(({ title }) => title.includes('“Broken”'));
  expect(told.map(({ user_id }) => user_id)).toEqual([lead.id]);
});

test('a tag that is merged into another one is replaced in rules', async () => {
  const [from, into] = [await createTag(services, { firm }), await createTag(services, { firm })];
  await create('Tagged', {
    trigger: { on: 'ticket_arrived' },
    conditions: { filter: { tag: `-${from},${into}` } },
    actions: [{ set: 'add_tag', tag: from }],
  });
  expect((await gateway.rpc('firm.tags.merge', { token, body: { id: from, into } })).code).toBeNull();
  const ticket = await open();
  await work(ticket);
  expect((await get(ticket)).tags).toMatchObject([{ id: into }]);
  const { rules } = await call('rules.list');
  expect(rules).toMatchObject([{ enabled: true, conditions: { filter: { tag: `-${into}` } } }]);
});

test('a rule of a dismissed author stays with the firm', async () => {
  const author = await createUserWithToken(gateway, { firm, permissions });
  const rule = { name: 'Theirs', trigger: { on: 'ticket_arrived' }, actions: [note('still')] };
  await call('rules.create', rule, author.token);
  await services.pool.query('update memberships set active = false where user_id = $1', [author.user.id]);
  const ticket = await open();
  await work(ticket);
  expect((await bodiesOf(ticket)).at(-1)).toBe('still');
});

test('beyond the firm’s effects of an hour, rules wait for the next, and the lead is told once', async () => {
  await create('Note', { trigger: { on: 'ticket_arrived' }, actions: [note('counted')] });
  const hour = new Date(Math.floor(services.clock.now().getTime() / 3_600_000) * 3_600_000);
  await services.pool.query('insert into rule_usage (workspace_id, hour, effects) values ($1, $2, 4999)', [
    firm.id,
    hour,
  ]);
  const [last, waits] = [await open(), await open()];
  for (const ticket of [last, waits, waits]) await work(ticket);
  expect([(await bodiesOf(last)).length, (await bodiesOf(waits)).length]).toEqual([2, 1]);
  const told = (await notificationsOf(gateway, firm)).filter(({ title }) =>
    title.startsWith('The rules wait'),
  );
  expect(told).toHaveLength(1);
  await services.pool.query(
    `update rule_usage set hour = (hour at time zone 'UTC' - interval '1 hour') at time zone 'UTC' where workspace_id = $1`,
    [firm.id],
  );
  await work(waits);
  expect(await bodiesOf(waits)).toHaveLength(2);
});

test('the words of all rules are compared with a long message in bounded time, and a rule has a bounded number', async () => {
  const letters = [...'abcdefghijklmnop'];
  const pairs = letters.flatMap((a) => letters.map((b) => a + b));
  // Each text has one word that is not in the message.
  const wordsOf = (texts: number, each: number) =>
    Array.from({ length: texts }, (_, i) => [...pairs.slice(i, i + each), 'zzz'].join(' '));
  const rule = { trigger: { on: 'ticket_arrived' }, actions: [note('x')] };
  const refused = await rpc('rules.create', {
    ...rule,
    name: 'Long',
    conditions: { words: wordsOf(20, 32) },
  });
  expect(refused).toMatchObject({ status: 422, code: 'validation_failed' });
  for (let i = 0; i < 60; i++)
    await call('rules.create', { ...rule, name: `Rule ${i}`, conditions: { words: wordsOf(20, 2) } });
  await call('rules.create', { ...rule, name: 'Last', conditions: { words: ['aa ab', 'zzz'] } });
  const ticket = await open(pairs.join(' ').repeat(20));
  await work(ticket);
  expect(await bodiesOf(ticket)).toHaveLength(2);
});

test('what is not of the firm is refused, and a firm without rules records nothing', async () => {
  const other = await createUserWithToken(gateway, { permissions });
  const team = await createTeam(services, { firm: other.firm });
  const on = { name: 'Foreign', trigger: { on: 'ticket_arrived' } };
  for (const more of [
    { actions: [{ set: 'team', team }] },
    { actions: [{ set: 'assignee', assignee: other.user.id }] },
    { actions: [{ set: 'notification', agent: other.user.id }] },
    { actions: [{ set: 'macro', macro: 'mac_00000000000000000000000000' }] },
    { actions: [note('x')], conditions: { filter: { team: String(team) } } },
    { actions: [note('x')], conditions: { filter: { assignee: 'me' } } },
    { actions: [] },
  ])
    expect(await rpc('rules.create', { ...on, ...more })).toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
  const { rules } = await call('rules.list');
  expect(rules).toEqual([]);
  const ticket = await open();
  const { rows } = await services.pool.query('select from rule_events where ticket_id = $1', [ticket]);
  expect(rows).toEqual([]);
});
