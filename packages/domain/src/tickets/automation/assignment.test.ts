/** Teams whose tickets are assigned automatically: exact also when workers and people collide. */
import type { AssignmentMode, Permission } from '@firmdesk/contract';
import { createTeam, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  notificationsOf,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { openTicket, writeTraderMessage } from '../messages/trader-messages.ts';
import { assignAllWaiting, assignWaiting } from './assign-waiting.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const permissions: Permission[] = ['view_tickets', 'manage_tickets'];
let firm: Firm;
let token: string;
let lead: TestUser;
let trader: TestUser;
let agents: TestUser[];
let team: number;
const { call, rpc, get } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({
    firm,
    token,
    user: lead,
  } = await createUserWithToken(gateway, {
    permissions: [...permissions, 'manage_settings'],
  }));
  trader = await createUser(services, { firm, role: 'trader' });
  agents = [];
  for (let i = 0; i < 3; i++) agents.push(await createUser(services, { firm, permissions }));
  team = await createTeam(services, { firm, members: agents });
});

const setMode = (mode: AssignmentMode) => call('assignment.setTeam', { team, mode });
const setAgent = (agent: TestUser, more: object) => call('assignment.setAgent', { agent: agent.id, ...more });
const work = () => assignWaiting(services, { workspace: firm.id });

/** A ticket that comes to the team, which a person moves there. */
async function arrive(from = trader): Promise<string> {
  const ticket = await createTicket(services, { firm, trader: from, status: 'awaiting_admin' });
  await call('assign', { ticket, team });
  return ticket;
}

async function assignees(tickets: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await services.pool.query(
    'select id, assignee_id from tickets where workspace_id = $1 and id = any($2)',
    [firm.id, tickets],
  );
  return tickets.map((id) => rows.find((row) => row.id === id).assignee_id);
}

const countBy = (ids: readonly (string | null)[]) =>
  agents.map(({ id }) => ids.filter((each) => each === id).length);

test('colliding arrivals are assigned in turn, by several workers at once', async () => {
  await setMode('round_robin');
  const tickets: string[] = [];
  for (let i = 0; i < 12; i++)
    tickets.push(await createTicket(services, { firm, trader, status: 'awaiting_admin' }));
  await Promise.all(
    tickets.map(async (ticket) => {
      await call('assign', { ticket, team });
      await work();
    }),
  );
  await work();
  expect(countBy(await assignees(tickets))).toEqual([4, 4, 4]);
  const notified = await notificationsOf(gateway, firm);
  expect(notified.filter(({ title }) => title.endsWith('was assigned to you'))).toHaveLength(12);
});

test('no agent gets more tickets than their limit; the others wait, and are assigned when there is room', async () => {
  await setMode('least_loaded');
  for (const agent of agents) await setAgent(agent, { ticket_limit: 2 });
  const tickets = await Promise.all(Array.from({ length: 8 }, () => arrive()));
  await Promise.all([work(), work(), work()]);
  expect(countBy(await assignees(tickets))).toEqual([2, 2, 2]);
  expect(await call('assignment.get')).toMatchObject({ teams: [{ id: team, waiting: 2 }] });
  const done = tickets[(await assignees(tickets)).indexOf(agents[0]!.id)];
  await call('setStatus', { ticket: done, status: 'resolved' });
  await work();
  expect((await assignees(tickets)).filter((id) => id === null)).toHaveLength(1);
});

test('an agent who is away, or who may no longer answer, gets none; the queue is worked off when they come back', async () => {
  await setMode('round_robin');
  for (const agent of agents) await setAgent(agent, { available: false });
  const tickets = [await arrive(), await arrive()];
  await work();
  expect(await assignees(tickets)).toEqual([null, null]);
  await services.pool.query('update memberships set permissions = $2 where user_id = $1', [
    agents[0]!.id,
    ['view_tickets'],
  ]);
  await services.pool.query('update agent_availability set available = true where user_id = $1', [
    agents[0]!.id,
  ]);
  await assignAllWaiting(services, {});
  expect(await assignees(tickets)).toEqual([null, null]);
  await setAgent(agents[1]!, { available: true });
  await work();
  expect(await assignees(tickets)).toEqual([agents[1]!.id, agents[1]!.id]);
});

test('a person’s choice wins: a ticket that they assign or release is left to them', async () => {
  await setMode('round_robin');
  const [chosen, released] = [await arrive(), await arrive()];
  await call('assign', { ticket: chosen, assignee: lead.id });
  await call('assign', { ticket: released, assignee: lead.id });
  await call('assign', { ticket: released, assignee: null });
  await work();
  expect(await assignees([chosen, released])).toEqual([lead.id, null]);
  const kept = await arrive();
  await setMode('off');
  await call('assign', { ticket: kept, assignee: lead.id });
  await setMode('round_robin');
  await work();
  expect(await assignees([kept])).toEqual([lead.id]);
  const moved = await arrive();
  await call('assign', { ticket: moved, team: null });
  await work();
  expect(await assignees([moved])).toEqual([null]);
});

test('the agent who knows the trader gets the ticket, and the history says why', async () => {
  await setMode('knows_trader');
  const knower = await createUserWithToken(gateway, { firm, permissions });
  await services.pool.query('insert into team_members (workspace_id, team_id, user_id) values ($1, $2, $3)', [
    firm.id,
    team,
    knower.user.id,
  ]);
  const earlier = await createTicket(services, { firm, trader, status: 'awaiting_admin' });
  await call('reply', { ticket: earlier, body: 'Paid.' }, knower.token);
  const known = await arrive();
  const stranger = await arrive(await createUser(services, { firm, role: 'trader' }));
  await work();
  const [byKnowledge, byLoad] = await assignees([known, stranger]);
  expect(byKnowledge).toBe(knower.user.id);
  expect(byLoad).not.toBe(knower.user.id);
  const { data } = await call('history', { ticket: known });
  expect(data[0]).toMatchObject({
    author: null,
    reason: { kind: 'assignment', mode: 'knows_trader' },
    changes: [{ property: 'assignee', before: null, after: { id: byKnowledge } }],
  });
  expect((await call('history', { ticket: stranger })).data[0].reason.mode).toBe('least_loaded');
});

test('a ticket of the assistant or the trader waits for nobody, until it awaits an answer', async () => {
  await setMode('round_robin');
  const ctx = { from: trader.email, body: 'Where is it?', via_email: false };
  const { ticket } = await withTransaction(services, (c) =>
    openTicket(
      { ...c, workspace: firm },
      { ...ctx, subject: 'Payout', priority: 'normal', ai_enabled: false },
    ),
  );
  await call('reply', { ticket: ticket.id, body: 'Soon.' });
  await call('assign', { ticket: ticket.id, team });
  await work();
  expect((await get(ticket.id)).assignee).toBeNull();
  await withTransaction(services, (c) =>
    writeTraderMessage({ ...c, workspace: firm }, { ...ctx, ticket: ticket.id }),
  );
  await work();
  expect((await get(ticket.id)).assignee).not.toBeNull();
});

test('agents set their own availability, and only who manages the settings that of others', async () => {
  const agent = await createUserWithToken(gateway, { firm, permissions });
  expect(await call('assignment.setMine', { available: false }, agent.token)).toMatchObject({
    id: agent.user.id,
    available: false,
  });
  expect(await call('assignment.mine', {}, agent.token)).toMatchObject({ available: false, tickets: 0 });
  const refused = await rpc('assignment.setAgent', { agent: lead.id, available: false }, agent.token);
  expect(refused.code).toBe('forbidden');
  expect((await rpc('assignment.setTeam', { team, mode: 'off' }, agent.token)).code).toBe('forbidden');
  expect((await rpc('assignment.setAgent', { agent: trader.id, available: false })).code).toBe(
    'resource_not_found',
  );
});
