import type { Permission, Ticket } from '@firmdesk/contract';
import {
  createTag,
  createTeam,
  createTicket,
  createUser,
  createWorkspace,
  type TestUser,
} from '@firmdesk/testing';
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
let firm: Firm;
let agent: TestUser;
let trader: TestUser;
let token: string;

beforeEach(async () => {
  const permissions: Permission[] = ['view_tickets', 'manage_tickets', 'manage_assistant'];
  ({ firm, agent, trader, token } = await createTicketFixture(gateway, permissions));
});

const createAgent = (permissions: Permission[]) => createUser(gateway.services, { firm, permissions });
const create = (over: Partial<Parameters<typeof createTicket>[1]> = {}) =>
  createTicket(gateway.services, { firm, trader, ...over });
const { rpc, call, get } = ticketCalls(gateway, () => token);
const minutesLater = () => gateway.clock.advance(60_000);
const now = () => gateway.clock.now().toISOString();
const notifications = () => notificationsOf(gateway, firm);

describe('a ticket', () => {
  test('shows in `can` what the caller may do, by firm, status and permissions', async () => {
    const id = await create({ status: 'awaiting_admin' });
    expect(await get(id)).toMatchObject({
      id,
      can: { ai: true, reply: true, manage: true, auto_reply: true },
    });
    const { token: viewer } = await createUserWithToken(gateway, {
      firm,
      permissions: ['view_tickets'],
      scopes: ['admin:read'],
    });
    expect((await call('get', { ticket: id }, viewer)).can).toEqual({
      ai: true,
      reply: false,
      manage: false,
      auto_reply: false,
    });
    await call('updateAssistantSettings', { enabled_for_team: false });
    expect((await get(id)).can).toEqual({ ai: false, reply: true, manage: true, auto_reply: true });
    await call('setStatus', { ticket: id, status: 'closed' });
    expect((await get(id)).can).toEqual({ ai: false, reply: false, manage: true, auto_reply: false });
  });

  test('lists its messages and notes newest first, in pages', async () => {
    const at = (minutes: number) => new Date(gateway.clock.now().getTime() - minutes * 60_000);
    const id = await create({
      createdAt: at(10),
      messages: [5, 4, 3, 2, 1].map((m) => ({ body: `m${m}`, at: at(m), internal: m === 2 })),
    });
    const page = await call('messages', { ticket: id, limit: 3 });
    expect(page.data.map(({ body }: { body: string }) => body)).toEqual(['m1', 'm2', 'm3']);
    expect(page.data[0]).toEqual({
      object: 'ticket_message',
      id: expect.stringMatching(/^tmsg_/),
      ticket_id: id,
      from: 'trader',
      author: 'Robin Example',
      body: 'm1',
      image_url: null,
      image_name: null,
      attachments: [],
      internal: false,
      streaming: false,
      via_email: false,
      event: null,
      read_at: null,
      created_at: at(1).toISOString(),
    });
    const rest = await call('messages', { ticket: id, limit: 3, starting_after: page.meta.next_cursor });
    expect(rest.data.map(({ body }: { body: string }) => body)).toEqual(['m4', 'm5']);
    expect(rest.meta).toEqual({ has_more: false, next_cursor: null });
    const elsewhere = await create({ messages: [{ body: 'x' }] });
    for (const starting_after of ['x', `tmsg_${'0'.repeat(26)}`, page.data[0].id]) {
      const { code } = await rpc('messages', {
        ticket: starting_after === page.data[0].id ? elsewhere : id,
        starting_after,
      });
      expect(code).toBe('invalid_cursor');
    }
  });
});

describe('the team’s reply', () => {
  test('sets the ticket to awaiting_trader and switches the assistant off for good', async () => {
    const id = await create({ status: 'open', unread: 1, lastFrom: 'trader', messages: [{ body: 'help' }] });
    minutesLater();
    const message = await call('reply', {
      ticket: id,
      body: 'We look into it',
      image_name: 'a.png',
      image_url: 'https://x.example/a.png',
    });
    expect(message).toMatchObject({
      ticket_id: id,
      from: 'admin',
      author: 'Robin Example',
      body: 'We look into it',
      image_url: 'https://x.example/a.png',
      internal: false,
      created_at: now(),
    });
    const expected = {
      status: 'awaiting_trader',
      ai_enabled: false,
      last_from: 'admin',
      last_message_at: now(),
      unread: 0,
    };
    expect(await get(id)).toMatchObject({ ...expected, can: { auto_reply: false } });
    expect((await call('list', { q: 'look into' })).data).toMatchObject([{ id }]);
  });

  test('is rejected on an ended ticket, which accepts notes; a note changes nothing else', async () => {
    for (const status of ['resolved', 'closed'] as const) {
      const id = await create({ status });
      const before = await get(id);
      minutesLater();
      expect((await rpc('reply', { ticket: id, body: 'hello' })).code).toBe('ticket_ended');
      const note = await call('addNote', { ticket: id, body: 'for us' });
      expect(note).toMatchObject({ from: 'admin', internal: true, event: null });
      expect(await get(id)).toEqual(before);
      expect((await call('list', { q: 'for us' })).data.length).toBeGreaterThan(0);
    }
  });

  test('rejects invalid messages', async () => {
    const ticket = await create();
    for (const body of ['', ' \n\t', 'x'.repeat(20_001), 5, null, ['x']]) {
      const { status, code, fields } = await rpc('reply', { ticket, body });
      expect([status, code, fields?.[0]?.path]).toEqual([422, 'validation_failed', 'body']);
    }
    await call('reply', { ticket, body: 'x'.repeat(20_000) });
    for (const image_url of ['javascript:alert(1)', 'x', 5]) {
      expect((await rpc('reply', { ticket, body: 'x', image_url })).code).toBe('validation_failed');
    }
  });
});

describe('a message that names the last message its author has seen', () => {
  const newest = async (ticket: string) => (await call('messages', { ticket })).data[0]?.id ?? null;

  test.each([
    ['reply', { body: 'It comes tomorrow.' }],
    ['addNote', { body: 'It comes tomorrow.' }],
    ['askAssistant', { instruction: 'Say that it comes tomorrow.' }],
  ])(
    'is rejected with the messages that others have written since, and stores nothing: %s',
    async (procedure, input) => {
      const ticket = await create({ messages: [{ body: 'Where is my payout?' }] });
      const seen_message_id = await newest(ticket);
      const colleague = await createUserWithToken(gateway, {
        firm,
        name: 'Kim Colleague',
        permissions: ['view_tickets', 'manage_tickets'],
      });
      const team = ticketCalls(gateway, () => colleague.token);
      minutesLater();
      await team.call('reply', { ticket, body: 'It was paid on Monday.' });
      minutesLater();
      await team.call('addNote', { ticket, body: 'Checked.' });
      minutesLater();
      const late = { ticket, ...input, seen_message_id };
      const answer = await rpc(procedure, late);
      expect([answer.status, answer.code]).toEqual([409, 'newer_messages']);
      expect(JSON.parse(answer.text).error.json.data.details.messages).toMatchObject([
        { object: 'ticket_message', author: 'Kim Colleague', body: 'It was paid on Monday.' },
        { author: 'Kim Colleague', body: 'Checked.', internal: true },
      ]);
      expect((await call('messages', { ticket })).data).toHaveLength(3);
      await call(procedure, { ...late, seen_message_id: await newest(ticket) });
      expect((await call('messages', { ticket })).data).toHaveLength(4);
    },
  );

  test('is stored after messages of its own author, and on a ticket without messages', async () => {
    const ticket = await create();
    await call('reply', { ticket, body: 'First.', seen_message_id: null });
    minutesLater();
    await call('reply', { ticket, body: 'Second.', seen_message_id: null });
    expect((await call('messages', { ticket })).data).toHaveLength(2);
  });

  test('is rejected if the message belongs to another ticket', async () => {
    const other = await newest(await create({ messages: [{ body: 'Elsewhere' }] }));
    const { status, code, fields } = await rpc('reply', {
      ticket: await create(),
      body: 'x',
      seen_message_id: other,
    });
    expect([status, code, fields?.[0]?.path]).toEqual([422, 'validation_failed', 'seen_message_id']);
  });
});

describe('undoing changes of a ticket', () => {
  test('sets back what the ticket still has, and keeps the tags of colleagues', async () => {
    const team = await createTeam(gateway.services, { firm });
    const [vip, fraud, late, deleted] = [
      await createTag(gateway.services, { firm, name: 'VIP' }),
      await createTag(gateway.services, { firm, name: 'fraud' }),
      await createTag(gateway.services, { firm, name: 'late' }),
      await createTag(gateway.services, { firm, name: 'old' }),
    ];
    const ticket = await create({ status: 'awaiting_admin' });
    await call('assign', { ticket, assignee: agent.id, team });
    await call('setPriority', { ticket, priority: 'high' });
    // A colleague has added a tag since.
    await call('setTags', { ticket, tags: [vip, late] });
    await gateway.services.pool.query('update tags set deleted_at = now() where id = $1', [deleted]);
    const undone = await call('undoChanges', {
      ticket,
      assignee: null,
      team: null,
      priority: 'urgent',
      add_tags: [fraud],
      remove_tags: [vip, deleted],
      expected: { assignee: agent.id, team, priority: 'high' },
    });
    expect(undone).toMatchObject({ assignee: null, team: null, priority: 'urgent' });
    expect(undone.tags.map(({ name }: { name: string }) => name)).toEqual(['fraud', 'late']);
    expect(await get(ticket)).toMatchObject(undone);
  });

  test('is rejected, all of it, if one has been changed since', async () => {
    const ticket = await create({ status: 'awaiting_admin' });
    const colleague = await createAgent(['view_tickets', 'manage_tickets']);
    const tag = await createTag(gateway.services, { firm, name: 'VIP' });
    await call('assign', { ticket, assignee: colleague.id });
    await call('setTags', { ticket, tags: [tag] });
    const input = {
      ticket,
      assignee: null,
      priority: 'urgent',
      remove_tags: [tag],
      expected: { assignee: agent.id, priority: 'normal' },
    };
    const { code, body } = await rpc('undoChanges', input);
    expect(code).toBe('undo_expired');
    expect(body.error.json.message).toBe('The assignee has been changed since, and stays.');
    const { assignee, priority, tags } = await get(ticket);
    expect([assignee.id, priority, tags.length]).toEqual([colleague.id, 'normal', 1]);
  });
});

describe('undoing a status or a snooze', () => {
  const inMs = (ms: number) => new Date(gateway.clock.now().getTime() + ms).toISOString();

  test('sets back what the ticket still has', async () => {
    const ticket = await create({ status: 'awaiting_admin' });
    const before = await get(ticket);
    for (const status of ['awaiting_trader', 'resolved', 'closed']) {
      await call('setStatus', { ticket, status });
      await call('undoChanges', { ticket, status: 'awaiting_admin', expected: { status } });
      expect(await get(ticket)).toEqual(before);
    }
    const until = inMs(3_600_000);
    await call('snooze', { ticket, until: null });
    await call('snooze', { ticket, until });
    const back = { ticket, snooze: { until: null }, expected: { snooze: { until } } };
    expect(await call('undoChanges', back)).toMatchObject({ snoozed: true, snoozed_until: null });
    await call('undoChanges', { ticket, snooze: null, expected: { snooze: { until: null } } });
    expect(await get(ticket)).toEqual(before);
  });

  test('gives a ticket back to the assistant', async () => {
    const ticket = await create({ status: 'open', aiEnabled: true, messages: [{ body: 'Where?' }] });
    await call('setStatus', { ticket, status: 'awaiting_admin' });
    const undone = await call('undoChanges', {
      ticket,
      status: 'open',
      expected: { status: 'awaiting_admin' },
    });
    expect(undone).toMatchObject({ status: 'open', ai_enabled: true });
  });

  test('is rejected if it has been changed since, or too late', async () => {
    const ticket = await create({ status: 'awaiting_admin' });
    const undo = async (input: object) => {
      const { code, body } = await rpc('undoChanges', { ticket, ...input });
      return [code, body.error?.json.message];
    };
    await call('setStatus', { ticket, status: 'closed' });
    const ended = { status: 'awaiting_admin', expected: { status: 'resolved' } };
    expect(await undo(ended)).toEqual(['undo_expired', 'The status has been changed since, and stays.']);
    gateway.clock.advance(15_001);
    const late = { status: 'awaiting_admin', expected: { status: 'closed' } };
    expect((await undo(late))[0]).toBe('ticket_ended');
    expect((await get(ticket)).status).toBe('closed');

    const other = await create({ status: 'awaiting_admin' });
    await call('snooze', { ticket: other, until: null });
    for (const snooze of [null, { until: inMs(3_600_000) }])
      expect(await undo({ ticket: other, snooze: null, expected: { snooze } })).toEqual([
        'undo_expired',
        'The snooze has been changed since, and stays.',
      ]);
    expect(await get(other)).toMatchObject({ snoozed: true });
  });
});

describe('undoing the end of a ticket', () => {
  test('gives it its earlier status back within 15 seconds', async () => {
    for (const status of ['resolved', 'closed'] as const) {
      const ticket = await create({ status: 'awaiting_admin' });
      const before = await get(ticket);
      await call('setStatus', { ticket, status });
      gateway.clock.advance(15_000);
      const undone = await call('undoEnd', { ticket, status: 'awaiting_admin' });
      expect(undone).toMatchObject({ status: 'awaiting_admin', closed_at: null });
      expect(await get(ticket)).toEqual(before);
    }
  });

  test('is rejected afterwards: a final status stays', async () => {
    const ticket = await create({ status: 'awaiting_trader' });
    await call('setStatus', { ticket, status: 'resolved' });
    gateway.clock.advance(15_001);
    expect((await rpc('undoEnd', { ticket, status: 'awaiting_trader' })).code).toBe('ticket_ended');
    expect((await get(ticket)).status).toBe('resolved');
  });

  test('changes nothing on a ticket that has not ended', async () => {
    const ticket = await create({ status: 'awaiting_trader' });
    await call('undoEnd', { ticket, status: 'awaiting_admin' });
    expect((await get(ticket)).status).toBe('awaiting_trader');
  });
});

describe('assignment, priority and tags', () => {
  test('assigns to an agent, a team, both or neither, and leaves omitted fields unchanged', async () => {
    const team = await createTeam(gateway.services, { firm, name: 'Payouts' });
    const ticket = await create();
    const assign = async (input: object) => {
      const { assignee, team } = (await call('assign', { ticket, ...input })) as Ticket;
      return [assignee?.id ?? null, team?.id ?? null];
    };
    expect(await assign({ assignee: agent.id })).toEqual([agent.id, null]);
    expect(await assign({ team })).toEqual([agent.id, team]);
    expect(await assign({ assignee: null })).toEqual([null, team]);
    expect(await assign({})).toEqual([null, team]);
    expect(await assign({ assignee: agent.id, team: null })).toEqual([agent.id, null]);
  });

  test('rejects accounts that are not agents, and teams and tags of other firms', async () => {
    const other = await createWorkspace(gateway.services);
    const ticket = await create();
    const foreignAgent = await createUser(gateway.services, { firm: other, permissions: ['view_tickets'] });
    const nonAgent = await createAgent(['view_payouts']);
    for (const assignee of [foreignAgent.id, trader.id, nonAgent.id, `usr_${'0'.repeat(26)}`]) {
      const { status, code, fields } = await rpc('assign', { ticket, assignee });
      expect([status, code, fields?.[0]?.path]).toEqual([422, 'validation_failed', 'assignee']);
    }
    for (const team of [await createTeam(gateway.services, { firm: other }), 2_147_483_647]) {
      expect(await rpc('assign', { ticket, team })).toMatchObject({ code: 'validation_failed' });
    }
    const own = await createTag(gateway.services, { firm, name: 'own' });
    for (const tag of [await createTag(gateway.services, { firm: other }), 2_147_483_647]) {
      const { code, fields } = await rpc('setTags', { ticket, tags: [own, tag] });
      expect([code, fields?.[0]?.path]).toEqual(['validation_failed', 'tags[1]']);
    }
    expect((await get(ticket)).tags).toEqual([]);
    expect((await call('setTags', { ticket, tags: [own, own] })).tags).toMatchObject([
      { id: own, name: 'own' },
    ]);
    expect((await call('setTags', { ticket, tags: [] })).tags).toEqual([]);
    expect((await rpc('setTags', { ticket, tags: Array(21).fill(own) })).code).toBe('validation_failed');
  });

  test('sorts a waiting ticket by its new priority', async () => {
    const [first, second] = [
      await create({ status: 'awaiting_admin' }),
      await create({ status: 'awaiting_admin' }),
    ];
    expect((await call('setPriority', { ticket: second, priority: 'urgent' })).priority).toBe('urgent');
    expect((await call('list')).data.map(({ id }: Ticket) => id)).toEqual([second, first]);
    expect((await rpc('setPriority', { ticket: first, priority: 'all' })).code).toBe('validation_failed');
  });

  test('returns the agents, teams and tags of the firm', async () => {
    const team = await createTeam(gateway.services, { firm, name: 'Payouts', members: [agent] });
    const tag = await createTag(gateway.services, { firm, name: 'VIP', color: '#ff0000' });
    await createAgent(['view_payouts']);
    expect(await call('desk')).toEqual({
      object: 'desk',
      agents: [
        { id: agent.id, name: 'Robin Example', email: agent.email, may_answer: true, avatar_url: null },
      ],
      teams: [{ id: team, name: 'Payouts', members: [agent.id] }],
      tags: [{ id: tag, name: 'VIP', color: '#ff0000' }],
      macros: [],
      articles: [],
    });
  });
});

describe('status', () => {
  test('stays resolved or closed, and sets closed_at', async () => {
    for (const status of ['resolved', 'closed'] as const) {
      const id = await create({ status: 'awaiting_trader' });
      minutesLater();
      const ended = await call('setStatus', { ticket: id, status });
      expect(ended).toMatchObject({ status, closed_at: now() });
      for (const next of ['awaiting_admin', 'awaiting_trader', 'resolved', 'closed']) {
        expect((await rpc('setStatus', { ticket: id, status: next })).code).toBe('ticket_ended');
      }
      for (const enabled of [true, false]) {
        expect((await rpc('switchAssistant', { ticket: id, enabled })).code).toBe('ticket_ended');
      }
      expect((await get(id)).closed_at).toBe(ended.closed_at);
    }
    expect((await rpc('setStatus', { ticket: await create(), status: 'open' })).code).toBe(
      'validation_failed',
    );
  });

  test('follows the assistant’s switch: off leaves the ticket to the team', async () => {
    const id = await create({ status: 'open', lastFrom: 'trader', messages: [{ body: 'help' }] });
    expect(await call('switchAssistant', { ticket: id, enabled: false })).toMatchObject({
      ai_enabled: false,
      status: 'awaiting_admin',
    });
    expect(await call('switchAssistant', { ticket: id, enabled: true })).toMatchObject({
      ai_enabled: true,
      status: 'open',
    });
    const answered = await create({ status: 'awaiting_trader' });
    expect(await call('switchAssistant', { ticket: answered, enabled: false })).toMatchObject({
      ai_enabled: false,
      status: 'awaiting_trader',
    });
    await call('addNote', { ticket: answered, body: 'A note is no answer.' });
    expect(await call('switchAssistant', { ticket: answered, enabled: true })).toMatchObject({
      ai_enabled: true,
    });
    await call('reply', { ticket: answered, body: 'The team answers.' });
    expect((await rpc('switchAssistant', { ticket: answered, enabled: true })).code).toBe(
      'assistant_unavailable',
    );
    expect(await get(answered)).toMatchObject({ ai_enabled: false });
    expect(await call('blockAssistant', { ticket: id, blocked: true })).toMatchObject({ ai_blocked: true });
  });

  test('notifies the assigned agents when a ticket starts to await the team, or all agents if none is assigned', async () => {
    const holder = await createAgent(['view_tickets']);
    const nonAgent = await createAgent(['view_payouts']);
    const held = await create({ status: 'awaiting_trader', assignee: holder });
    await call('setStatus', { ticket: held, status: 'awaiting_admin' });
    await call('setStatus', { ticket: held, status: 'awaiting_admin' });
    const title = `Ticket #${held.slice(-6).toUpperCase()} awaits an answer`;
    expect(await notifications()).toEqual([{ user_id: holder.id, title }]);
    minutesLater();
    const [free, assignedToNonAgent] = [
      await create({ status: 'open' }),
      await create({ status: 'open', assignee: nonAgent }),
    ];
    await call('setStatus', { ticket: free, status: 'awaiting_admin' });
    await call('setStatus', { ticket: assignedToNonAgent, status: 'awaiting_admin' });
    // The agent who caused it is not notified.
    expect((await notifications()).slice(1).map(({ user_id }) => user_id)).toEqual([holder.id, holder.id]);
  });

  test('is counted in its group within a few seconds', async () => {
    for (const status of [
      'open',
      'awaiting_admin',
      'awaiting_admin',
      'awaiting_trader',
      'resolved',
    ] as const) {
      await create({ status });
    }
    expect(await call('counts')).toEqual({
      object: 'ticket_counts',
      waiting: 2,
      ai: 1,
      trader: 1,
      ended: 1,
      snoozed: 0,
    });
  });
});

describe('the firm’s assistant', () => {
  test('is configured with manage_assistant, and counts the current month only', async () => {
    expect(await call('assistantSettings')).toEqual({
      object: 'assistant_settings',
      enabled_for_team: true,
      monthly_allowance: 1000,
      used: 0,
      days: [],
    });
    const period = (at: string) =>
      gateway.services.pool.query(
        `insert into assistant_usage (workspace_id, month, used) values ($1, $2, 7)
         on conflict (workspace_id) do update set month = excluded.month`,
        [firm.id, at],
      );
    await period(`${now().slice(0, 7)}-01`);
    expect(await call('updateAssistantSettings', { monthly_allowance: 5 })).toMatchObject({
      enabled_for_team: true,
      monthly_allowance: 5,
      used: 7,
    });
    await period('2020-01-01');
    expect(await call('assistantSettings')).toMatchObject({ monthly_allowance: 5, used: 0 });
    const { token: other } = await createUserWithToken(gateway, {
      firm,
      permissions: ['view_tickets', 'manage_tickets'],
      scopes: ['admin:read', 'admin:write'],
    });
    expect((await rpc('updateAssistantSettings', { monthly_allowance: 5 }, other)).code).toBe('forbidden');
    for (const monthly_allowance of [-1, 1.5, '5', 1_000_001]) {
      expect((await rpc('updateAssistantSettings', { monthly_allowance })).code).toBe('validation_failed');
    }
  });
});

test('answers 404 for a ticket of another firm, in every operation', async () => {
  const other = await createWorkspace(gateway.services);
  const theirs = await createTicket(gateway.services, {
    firm: other,
    trader: await createUser(gateway.services, { firm: other, role: 'trader' }),
  });
  const ended = await createTicket(gateway.services, {
    firm: other,
    trader: await createUser(gateway.services, { firm: other, role: 'trader' }),
    status: 'closed',
  });
  const inputs: Record<string, object> = {
    get: {},
    messages: {},
    reply: { body: 'x' },
    addNote: { body: 'x' },
    assign: { assignee: agent.id },
    setPriority: { priority: 'low' },
    setTags: { tags: [] },
    setStatus: { status: 'closed' },
    undoChanges: { priority: 'low' },
    undoEnd: { status: 'awaiting_admin' },
    markRead: {},
    switchAssistant: { enabled: false },
    blockAssistant: { blocked: true },
  };
  for (const [name, input] of Object.entries(inputs)) {
    const answers = [];
    for (const ticket of [`tkt_${'0'.repeat(26)}`, theirs, ended]) {
      const { status, code, body } = await rpc(name, { ticket, ...input });
      answers.push([status, code, body.error?.json?.message]);
    }
    expect(answers[0]!.slice(0, 2), name).toEqual([404, 'resource_not_found']);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  }
});
