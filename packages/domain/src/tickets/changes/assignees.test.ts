/** Only agents who may answer tickets are assigned, in every way to assign. */
import type { Permission } from '@firmdesk/contract';
import { createTeam, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  type RpcAnswer,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { notifyTeam } from '../messages/notify-team.ts';
import { lockTicket } from '../ticket-state.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let token: string;
let user: TestUser;
let trader: TestUser;
let ticket: string;
const { call, rpc } = ticketCalls(gateway, () => token);
const permissions: Permission[] = ['view_tickets', 'manage_tickets'];
const colleague = (...held: Permission[]) => createUser(services, { firm, permissions: held });

beforeEach(async () => {
  ({ firm, token, user } = await createUserWithToken(gateway, {
    permissions: [...permissions, 'manage_assistant'],
  }));
  trader = await createUser(services, { firm, role: 'trader' });
  ticket = await createTicket(services, { firm, trader, status: 'awaiting_admin' });
});

const noActions = { add_tags: [], status: null, priority: null };
const macro = { name: 'Refund', team: null, texts: [{ language: 'en', text: 'Dear {{trader.name}}' }] };

/** Each way to name an assignee. */
const ways: Record<string, (assignee: TestUser) => Promise<RpcAnswer>> = {
  assign: ({ id }) => rpc('assign', { ticket, assignee: id }),
  'start a ticket': ({ id }) =>
    rpc('start', { to: trader.email, subject: 'Payout', body: 'Paid.', kind: 'reply', assignee: id }),
  'with a reply': ({ id }) =>
    rpc('reply', { ticket, body: 'Paid.', actions: { ...noActions, assignee: id } }),
  'with a delayed send': ({ id }) =>
    rpc('holdReply', { ticket, body: 'Paid.', actions: { ...noActions, assignee: id } }),
  'undo a change': ({ id }) => rpc('undoChanges', { ticket, assignee: id, expected: { assignee: null } }),
  'bulk change': ({ id }) =>
    rpc('bulkChanges.start', { tickets: [ticket], action: { set: 'assignee', assignee: id } }),
  'a macro': ({ id }) =>
    gateway.rpc('macros.create', { token, body: { ...macro, actions: { ...noActions, assignee: id } } }),
  'a file of macros': ({ email }) =>
    gateway.rpc('macros.import', {
      token,
      body: {
        format: 'firmdesk-macros',
        version: 1,
        macros: [{ ...macro, actions: { ...noActions, assignee: email } }],
      },
    }),
};

describe.each(Object.keys(ways))('an assignee named by: %s', (way) => {
  test('is an agent who may answer', async () => {
    expect(await ways[way]!(await colleague(...permissions))).toMatchObject({ status: 200 });
  });
  test.each<[string, Permission[]]>([
    ['may only see tickets', ['view_tickets']],
    ['may change tickets that they do not see', ['manage_tickets']],
    ['has no permission', []],
  ])('is refused who %s', async (_, held) => {
    expect(await ways[way]!(await colleague(...held))).toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
  });
});

test('an agent who may only see tickets is mentioned and filtered by, and is not offered as an assignee', async () => {
  const reader = await colleague('view_tickets');
  const answering = await colleague(...permissions);
  const { agents } = await call('desk', {});
  const mayAnswer = Object.fromEntries(
    agents.map(({ id, may_answer }: { id: string; may_answer: boolean }) => [id, may_answer]),
  );
  expect(mayAnswer).toEqual({ [user.id]: true, [reader.id]: false, [answering.id]: true });
  const body = '@Robin please read';
  expect((await rpc('addNote', { ticket, body, mentions: [reader.id] })).status).toBe(200);
  expect((await rpc('list', { assignee: reader.id })).status).toBe(200);
});

test('what a delayed send and a macro name is checked again when it is used', async () => {
  const agent = await colleague(...permissions);
  const { id } = (
    await gateway.rpc('macros.create', {
      token,
      body: { ...macro, actions: { ...noActions, assignee: agent.id } },
    })
  ).data;
  await services.pool.query(`update memberships set permissions = '{view_tickets}' where user_id = $1`, [
    agent.id,
  ]);
  const { data } = await gateway.rpc('macros.list', { token, body: {} });
  expect(JSON.stringify(data)).toContain(id);
  expect(JSON.stringify(data)).not.toContain(agent.id);
});

describe('a ticket that awaits the team notifies', () => {
  const notified = async (assignment: { assignee?: TestUser; team?: number }) => {
    await services.pool.query(
      'update tickets set assignee_id = $3, team_id = $4 where workspace_id = $1 and id = $2',
      [firm.id, ticket, assignment.assignee?.id ?? null, assignment.team ?? null],
    );
    const ids = await withTransaction(services, async (ctx) =>
      notifyTeam(ctx, await lockTicket(ctx, firm.id, ticket)),
    );
    return ids.sort();
  };
  const ids = (...users: TestUser[]) => users.map(({ id }) => id).sort();

  test('the assigned agent alone if they may answer, otherwise also all who may', async () => {
    const [reader, other] = [await colleague('view_tickets'), await colleague(...permissions)];
    await colleague();
    expect(await notified({ assignee: other })).toEqual(ids(other));
    expect(await notified({ assignee: reader })).toEqual(ids(reader, other, user));
    expect(await notified({})).toEqual(ids(reader, other, user));
  });

  test('a team alone if one of it may answer, otherwise also all who may', async () => {
    const [reader, other] = [await colleague('view_tickets'), await colleague(...permissions)];
    const readers = await createTeam(services, { firm, members: [reader] });
    const mixed = await createTeam(services, { firm, members: [reader, other] });
    expect(await notified({ team: mixed })).toEqual(ids(reader, other));
    expect(await notified({ team: readers })).toEqual(ids(reader, other, user));
    expect(await notified({ team: readers, assignee: other })).toEqual(ids(reader, other));
  });
});

test('an agent is notified of a ticket that a colleague assigns to them, and told it from other notifications', async () => {
  const ben = await createUserWithToken(gateway, { firm, permissions });
  const notifications = async () =>
    (await gateway.rpc('notifications.list', { token: ben.token, body: {} })).data.data;
  await call('assign', { ticket, assignee: ben.user.id });
  await call('assign', { ticket, assignee: ben.user.id });
  await call('assign', { ticket, assignee: user.id });
  const number = `#${ticket.slice(-6).toUpperCase()}`;
  expect(await notifications()).toMatchObject([
    {
      kind: 'ticket_awaiting_admin',
      reason: 'assignment',
      title: expect.stringMatching(new RegExp(` assigned ticket ${number} to you$`)),
      action_url: `/tickets/${ticket}`,
    },
  ]);
  gateway.clock.advance(1_000);
  await call('addNote', { ticket, body: '@Ben please look.', mentions: [ben.user.id] });
  expect((await notifications())[0]).toMatchObject({ reason: 'mention' });
});
