import { type Permission, PLATFORM, permissions, type Ticket } from '@firmdesk/contract';
import {
  createStaff,
  createTag,
  createTeam,
  createTicket,
  createUser,
  createWorkspace,
  type TestUser,
} from '@firmdesk/testing';
import {
  commonCases,
  createUserWithToken,
  type Firm,
  suiteGateway,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const LIST = 'GET /v1/admin/tickets';
type TicketInput = Omit<Parameters<typeof createTicket>[1], 'firm' | 'trader'> & { trader?: TestUser };

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the parsed body
type Rpc = any;

/** An agent with the permission view_tickets only. */
const viewer = { permissions: ['view_tickets' as const], scopes: ['admin:read' as const] };

const gateway = await suiteGateway();
let firm: Firm;
let agent: TestUser;
let trader: TestUser;
let token: string;

beforeEach(async () => {
  ({ firm, user: agent, token } = await createUserWithToken(gateway, viewer));
  trader = await createUser(gateway.services, { firm, role: 'trader' });
});

const create = (over: TicketInput = {}) => createTicket(gateway.services, { firm, trader, ...over });
/** The date `minutes` ago. */
const ago = (minutes: number) => new Date(gateway.clock.now().getTime() - minutes * 60_000);
const list = (query = '', as = token) => gateway.request(`${LIST}${query && `?${query}`}`, { token: as });
const idsOf = async (query = '', as = token) => {
  const { status, body } = await list(query, as);
  expect([query, status]).toEqual([query, 200]);
  return (body.data as Ticket[]).map(({ id }) => id);
};
const refused = async (query: string, code: string) => {
  const { status, body } = await list(query);
  expect([query, status, body.error?.code]).toEqual([query, 400, code]);
};

commonCases(gateway, LIST, async ({ firm, trader }, { services }) => {
  await createTicket(services, { firm, trader, messages: [{ body: 'hello' }] });
  return { query: 'limit=5&q=hello' };
});

describe('a row', () => {
  test('has exactly the fields of the contract', async () => {
    const team = await createTeam(gateway.services, { firm, name: 'Payouts' });
    const [vip, late] = [
      await createTag(gateway.services, { firm, name: 'VIP', color: '#ff0000' }),
      await createTag(gateway.services, { firm, name: 'late', color: '#00ff00' }),
    ];
    const id = await create({
      subject: 'Where is my payout?',
      status: 'awaiting_admin',
      priority: 'high',
      assignee: agent,
      team,
      tags: [late, vip],
      unread: 2,
      lastFrom: 'trader',
      createdAt: ago(90),
      lastMessageAt: ago(30),
    });
    const answer = await list();
    expect(answer.body).toEqual({
      data: [
        {
          object: 'ticket',
          id,
          number: `#${id.slice(-6).toUpperCase()}`,
          subject: 'Where is my payout?',
          status: 'awaiting_admin',
          priority: 'high',
          ai_enabled: true,
          ai_blocked: false,
          unread: 2,
          last_from: 'trader',
          last_message_at: ago(30).toISOString(),
          created_at: ago(90).toISOString(),
          closed_at: null,
          snoozed: false,
          snoozed_until: null,
          woken_at: null,
          first_response_due_at: null,
          resolution_due_at: null,
          trader: {
            id: trader.id,
            name: 'Robin Example',
            email: trader.email,
            avatar_url: null,
            deleted: false,
          },
          assignee: { id: agent.id, name: 'Robin Example', avatar_url: null },
          team: { id: team, name: 'Payouts' },
          tags: [
            { id: late, name: 'late', color: '#00ff00' },
            { id: vip, name: 'VIP', color: '#ff0000' },
          ],
          action_url: `/tickets/${id}`,
        },
      ],
      meta: { request_id: expect.stringMatching(/^req_/), has_more: false, next_cursor: null },
    });
  });

  test('remains after its trader’s account is deleted, and loses a deleted tag', async () => {
    const tag = await createTag(gateway.services, { firm });
    const id = await create({ status: 'closed', tags: [tag], createdAt: ago(5), lastMessageAt: ago(1) });
    await gateway.services.pool.query('update users set deleted_at = now() where id = $1', [trader.id]);
    await gateway.services.pool.query('update tags set deleted_at = now() where id = $1', [tag]);
    const { body } = await list();
    expect(body.data).toMatchObject([
      { id, trader: { deleted: true }, tags: [], closed_at: ago(1).toISOString() },
    ]);
    expect(await idsOf(`tag=${tag}`)).toEqual([]);
  });
});

describe('filters', () => {
  test('filters by status, in the groups of the queue', async () => {
    const of: Record<string, string> = {};
    for (const status of ['open', 'awaiting_admin', 'awaiting_trader', 'resolved', 'closed'] as const) {
      of[status] = await create({ status, createdAt: ago(Object.keys(of).length) });
    }
    expect(await idsOf('status=waiting')).toEqual([of['awaiting_admin']]);
    expect(await idsOf('status=ai')).toEqual([of['open']]);
    expect(await idsOf('status=trader')).toEqual([of['awaiting_trader']]);
    expect(await idsOf('status=ended')).toEqual([of['resolved'], of['closed']]);
    expect(await idsOf('status=open')).toEqual([of['awaiting_admin'], of['open'], of['awaiting_trader']]);
    expect(await idsOf('status=all')).toHaveLength(5);
    expect(await idsOf()).toHaveLength(5);
  });

  test('filters by assignee: anyone, me and my teams, none, or an agent', async () => {
    const other = await createUser(gateway.services, { firm, permissions: ['view_tickets'] });
    const mine = await createTeam(gateway.services, { firm, members: [agent] });
    const theirs = await createTeam(gateway.services, { firm, members: [other] });
    const toMe = await create({ assignee: agent, createdAt: ago(1) });
    const toMyTeam = await create({ team: mine, createdAt: ago(2) });
    const toOther = await create({ assignee: other, team: theirs, createdAt: ago(3) });
    const otherInMyTeam = await create({ assignee: other, team: mine, createdAt: ago(4) });
    const unassigned = await create({ createdAt: ago(5) });
    expect(await idsOf('assignee=anyone')).toHaveLength(5);
    expect(await idsOf('assignee=me')).toEqual([toMe, toMyTeam, otherInMyTeam]);
    expect(await idsOf('assignee=none')).toEqual([unassigned]);
    expect(await idsOf(`assignee=${other.id}`)).toEqual([toOther, otherInMyTeam]);
    expect(await idsOf(`team=${mine}`)).toEqual([toMyTeam, otherInMyTeam]);
    expect(await idsOf('team=none')).toEqual([toMe, unassigned]);
    expect(await idsOf(`team=${mine}&assignee=${other.id}`)).toEqual([otherInMyTeam]);
  });

  test('filters by priority and tag', async () => {
    const tag = await createTag(gateway.services, { firm });
    const ids: string[] = [];
    for (const priority of ['urgent', 'high', 'normal', 'low'] as const) {
      ids.push(
        await create({ priority, ...(priority === 'high' && { tags: [tag] }), createdAt: ago(ids.length) }),
      );
    }
    for (const [i, priority] of ['urgent', 'high', 'normal', 'low'].entries()) {
      expect(await idsOf(`priority=${priority}`)).toEqual([ids[i]]);
    }
    expect(await idsOf('priority=all&tag=all')).toEqual(ids);
    expect(await idsOf(`tag=${tag}`)).toEqual([ids[1]]);
    expect(await idsOf(`tag=${tag}&priority=low`)).toEqual([]);
  });

  test('matches nothing for a well-formed id that is unknown or of another firm', async () => {
    const elsewhere = await createWorkspace(gateway.services);
    const [user, team, tag] = [
      await createUser(gateway.services, { firm: elsewhere }),
      await createTeam(gateway.services, { firm: elsewhere }),
      await createTag(gateway.services, { firm: elsewhere }),
    ];
    await createTicket(gateway.services, {
      firm: elsewhere,
      trader: user,
      assignee: user,
      team,
      tags: [tag],
    });
    await create();
    for (const query of [
      `assignee=${user.id}`,
      `assignee=usr_${'0'.repeat(26)}`,
      `team=${team}`,
      'team=2147483648',
      'team=999999999999999999',
      `tag=${tag}`,
      'tag=999999999999999999',
      `q=${user.id}`,
      `q=${(await list('', (await createUserWithToken(gateway, { firm: elsewhere, ...viewer })).token)).body.data[0].id}`,
    ]) {
      expect(await idsOf(query)).toEqual([]);
    }
  });

  test('rejects any other value with validation_failed and the field', async () => {
    for (const query of [
      'status=',
      'status=awaiting_admin',
      'status=Open',
      'status=open&status=open',
      'status[]=open',
      'assignee=',
      'assignee=nobody',
      'assignee=usr_',
      'assignee=tkt_00000000000000000000000000',
      'assignee=1',
      'assignee=me%20',
      'team=',
      'team=0',
      'team=-1',
      'team=1.5',
      'team=01',
      'team=%D9%A3',
      'team=1e3',
      'team=all',
      'team=9999999999999999999',
      'priority=',
      'priority=critical',
      'priority=none',
      'tag=',
      'tag=none',
      'tag=1%202',
      `q=${'x'.repeat(101)}`,
      'q=a&q=b',
      'q[]=a',
      'q[a]=b',
      'q%5Ba%5D=b',
      'q=a%00b',
    ]) {
      await refused(query, 'validation_failed');
      const { body } = await list(query);
      expect(body.error.fields[0].path).toBe(query.match(/^[a-z]+/)![0]);
    }
  });

  test('accepts 100 characters in `q`, counted as code points', async () => {
    await create({ messages: [{ body: '😀'.repeat(100) }] });
    expect(await idsOf(`q=${encodeURIComponent('😀'.repeat(100))}`)).toHaveLength(1);
    expect(await idsOf(`q=${encodeURIComponent(`  ${'😀'.repeat(100)} \u3000`)}`)).toHaveLength(1);
    await refused(`q=${encodeURIComponent('😀'.repeat(101))}`, 'validation_failed');
    for (const blank of ['', '%20', '%E3%80%80', '%09']) expect(await idsOf(`q=${blank}`)).toHaveLength(1);
  });
});

describe('sorts', () => {
  test('sorts the queue: the team’s tickets by urgency and waiting time; then the assistant’s, the trader’s and ended ones, latest first', async () => {
    const waiting = (priority: 'urgent' | 'high' | 'normal' | 'low', wrote: number) =>
      create({
        status: 'awaiting_admin',
        priority,
        traderWroteAt: ago(wrote),
        createdAt: ago(1000),
        lastMessageAt: ago(1),
      });
    const inGroup = (status: 'open' | 'awaiting_trader' | 'resolved' | 'closed', active: number) =>
      create({ status, createdAt: ago(1000), lastMessageAt: ago(active), priority: 'urgent' });
    const expected = [
      ['ended 2', await inGroup('closed', 60)],
      ['ended 1', await inGroup('resolved', 50)],
      ['trader 2', await inGroup('awaiting_trader', 40)],
      ['trader 1', await inGroup('awaiting_trader', 30)],
      ['ai 2', await inGroup('open', 900)],
      ['ai 1', await inGroup('open', 800)],
      ['low', await waiting('low', 999)],
      ['normal', await waiting('normal', 10)],
      ['high', await waiting('high', 20)],
      ['urgent, wrote later', await waiting('urgent', 5)],
      ['urgent, waits longest', await waiting('urgent', 6)],
    ].reverse();
    expect(await idsOf()).toEqual(expected.map(([, id]) => id));
    expect(await idsOf('sort=queue')).toEqual(expected.map(([, id]) => id));
  });

  test('sorts by each other key, with ties by id in the same direction', async () => {
    const at = (created: number, active: number, priority: 'urgent' | 'low') =>
      create({ createdAt: ago(created), lastMessageAt: ago(active), priority });
    const a = await at(50, 10, 'low');
    const b = await at(40, 30, 'urgent');
    const c = await at(30, 20, 'urgent');
    const [d, e] = [await at(20, 20, 'low'), await at(20, 20, 'low')].sort() as [string, string];
    expect(await idsOf('sort=-created_at')).toEqual([e, d, c, b, a]);
    expect(await idsOf('sort=created_at')).toEqual([a, b, c, d, e]);
    expect(await idsOf('sort=-priority')).toEqual([c, b, a, e, d]);
    const [first, ...rest] = await idsOf('sort=-last_message_at');
    expect([first, rest[3]]).toEqual([a, b]);
    expect(rest.slice(0, 3)).toEqual([c, d, e].sort().reverse());
  });

  test('rejects other sorts with invalid_sort', async () => {
    for (const sort of [
      '',
      'id',
      '-queue',
      'priority',
      'last_message_at',
      'Queue',
      'queue,-priority',
      'queue&sort=queue',
    ]) {
      await refused(`sort=${sort}`, 'invalid_sort');
    }
    await refused('sort[]=queue', 'invalid_sort');
  });
});

describe('pages', () => {
  test.each(['queue', '-last_message_at', '-created_at', 'created_at', '-priority'])(
    'returns each ticket once over all pages of the sort %s, in order',
    async (sort) => {
      const statuses = ['open', 'awaiting_admin', 'awaiting_trader', 'resolved', 'closed'] as const;
      for (let i = 0; i < 23; i++) {
        await create({
          status: statuses[i % 5]!,
          priority: (['urgent', 'high', 'normal', 'low'] as const)[i % 4]!,
          createdAt: ago(100 + (i % 3)),
          lastMessageAt: ago(i % 2),
        });
      }
      const whole = await idsOf(`sort=${sort}&limit=100`);
      const collected: string[] = [];
      let cursor = '';
      for (let page = 0; page < 5; page++) {
        const { body } = await list(`sort=${sort}&limit=5${cursor && `&starting_after=${cursor}`}`);
        collected.push(...body.data.map(({ id }: Ticket) => id));
        expect(body.meta.has_more).toBe(page < 4);
        expect(body.meta.next_cursor === null).toBe(page === 4);
        cursor = body.meta.next_cursor;
      }
      expect(collected).toEqual(whole);
      expect(whole).toHaveLength(23);
    },
  );

  test('uses a limit of 20 by default, and of 100 at most', async () => {
    for (let i = 0; i < 101; i++) await create({ createdAt: ago(i) });
    expect(await idsOf()).toHaveLength(20);
    expect(await idsOf('limit=1')).toHaveLength(1);
    expect(await idsOf('limit=100')).toHaveLength(100);
    const most = await list('limit=101');
    expect(most.body.data).toHaveLength(100);
    expect(most.body.meta.has_more).toBe(true);
    for (const limit of ['0', '-1', '1.5', '1e2', '%2B5', '', '0x10', '5&limit=5', 'ten']) {
      await refused(`limit=${limit}`, 'invalid_limit');
    }
    await refused('limit[]=5', 'invalid_limit');
  });

  test('has no next page after an exactly full last page', async () => {
    for (let i = 0; i < 3; i++) await create();
    expect((await list('limit=3')).body.meta).toMatchObject({ has_more: false, next_cursor: null });
    expect((await list('limit=2')).body.meta).toMatchObject({ has_more: true });
  });

  test('accepts a cursor with other filters and limits and after its row has ended, but not with another sort', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i++)
      ids.push(await create({ createdAt: ago(i), status: i === 2 ? 'closed' : 'open' }));
    const cursor = (await list('sort=-created_at&limit=1')).body.meta.next_cursor;
    expect(await idsOf(`sort=-created_at&starting_after=${cursor}`)).toEqual(ids.slice(1));
    expect(await idsOf(`sort=-created_at&status=ended&limit=7&starting_after=${cursor}`)).toEqual([ids[2]]);
    await gateway.services.pool.query('delete from tickets where id = $1', [ids[0]]);
    expect(await idsOf(`sort=-created_at&starting_after=${cursor}`)).toEqual(ids.slice(1));
    for (const sort of ['queue', '-last_message_at', 'created_at', '-priority']) {
      await refused(`sort=${sort}&starting_after=${cursor}`, 'invalid_cursor');
    }
    await refused(`starting_after=${cursor}`, 'invalid_cursor');
  });

  test('rejects altered, foreign and invented cursors with invalid_cursor', async () => {
    for (let i = 0; i < 3; i++) await create();
    const cursor: string = (await list('limit=1')).body.meta.next_cursor;
    const other = await createWorkspace(gateway.services);
    const { token: foreignToken } = await createUserWithToken(gateway, { firm: other, ...viewer });
    const foreign = await list(`starting_after=${cursor}`, foreignToken);
    expect([foreign.status, foreign.body.error.code]).toEqual([400, 'invalid_cursor']);
    const swap = (at: number) =>
      cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    const forged = Buffer.concat([Buffer.alloc(16), Buffer.from(cursor, 'base64url').subarray(16)]);
    for (const altered of [
      '',
      'x',
      swap(0),
      swap(30),
      swap(cursor.length - 2),
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}%3D`,
      `${cursor}%20`,
      `${cursor}!`,
      forged.toString('base64url'),
      (await idsOf())[0]!,
      `${cursor}&starting_after=${cursor}`,
    ]) {
      await refused(`limit=1&starting_after=${altered}`, 'invalid_cursor');
    }
  });
});

describe('access', () => {
  test('lists only the firm’s tickets; staff name the firm', async () => {
    const other = await createWorkspace(gateway.services);
    const id = await create();
    const theirs = await createTicket(gateway.services, {
      firm: other,
      trader: await createUser(gateway.services, { firm: other, role: 'trader' }),
    });
    expect(await idsOf()).toEqual([id]);
    const staff = await tokenOf(
      gateway,
      await createStaff(gateway.services, [firm, other]),
      PLATFORM,
      viewer.scopes,
    );
    for (const [workspace, expected] of [
      [firm, id],
      [other, theirs],
    ] as const) {
      const { body } = await gateway.request(LIST, { token: staff, workspace: workspace.slug });
      expect(body.data.map((ticket: Ticket) => ticket.id)).toEqual([expected]);
    }
  });

  test('rejects a caller with every permission but view_tickets', async () => {
    const others = permissions.filter(
      (permission): permission is Permission => permission !== 'view_tickets',
    );
    const blind = await createUserWithToken(gateway, { firm, permissions: others, scopes: viewer.scopes });
    const { status, body } = await list('', blind.token);
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
  });

  test('answers RPC as it answers REST', async () => {
    const id = await create();
    const bearer = { authorization: `Bearer ${token}` };
    const asked = (input: object) =>
      fetch(`${gateway.url}/trpc/tickets.list?input=${encodeURIComponent(JSON.stringify({ json: input }))}`, {
        headers: bearer,
      }).then((response) => response.json() as Promise<Rpc>);
    expect((await asked({})).result.data.json).toMatchObject({ data: [{ id }], meta: { has_more: false } });
    for (const [input, code] of [
      [{ limit: '5' }, 'invalid_limit'],
      [{ sort: 'id' }, 'invalid_sort'],
      [{ status: 'x' }, 'validation_failed'],
      [{ team: 5 }, 'validation_failed'],
      [{ q: ['a'] }, 'validation_failed'],
      [{ starting_after: 'x' }, 'invalid_cursor'],
    ] as const) {
      expect((await asked(input)).error.json.data).toMatchObject({ code, httpStatus: 400 });
    }
  });
});
