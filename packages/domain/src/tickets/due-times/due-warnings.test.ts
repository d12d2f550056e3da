import { createTeam, createUser, runPushJobs, type TestUser } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  type Firm,
  notificationsOf,
  registerPhone,
  suitePushGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';
import { refreshAllDueTimes } from './refresh-due-times.ts';
import { warnOfDueTickets } from './warn-of-due-tickets.ts';

const MINUTE = 60_000;
const gateway = await suitePushGateway();
const { services, clock } = gateway;
let firm: Firm;
let agent: TestUser;
let colleague: TestUser;
let trader: TestUser;
let token: string;
let platform: string;
const { call } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, agent, trader, token } = await createTicketFixture(gateway, [
    'view_tickets',
    'manage_tickets',
    'manage_assistant',
  ]));
  colleague = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
  ({ token: platform } = await createUserWithToken(gateway, { firm, scopes: ['platform:write'] }));
  await setTargets();
});

async function setTargets(warn_minutes: number | null = 15) {
  const target = { first_response_minutes: 60, resolution_minutes: 120 };
  const short = { first_response_minutes: 10, resolution_minutes: null };
  const targets = { urgent: short, high: target, normal: target, low: target };
  await call('serviceTargets.set', { targets, warn_minutes, hours: null });
}
const open = async (over: object = {}): Promise<string> => {
  const opening = { from: trader.email, subject: 'Payout', body: 'Where?', ai_enabled: false, ...over };
  const ticket = (await call('platform.open', opening, platform)).ticket.id;
  await services.pool.query('delete from notifications where workspace_id = $1', [firm.id]);
  return ticket;
};
const passMinutes = (minutes: number) => clock.advance(minutes * MINUTE);
/** The warnings so far: to whom, and what is due when. */
async function warnings(): Promise<string[]> {
  // Several workers look at the same time.
  await Promise.all([warnOfDueTickets(services), warnOfDueTickets(services)]);
  const names = new Map([
    [agent.id, 'agent'],
    [colleague.id, 'colleague'],
  ]);
  return (await notificationsOf(gateway, firm))
    .map(({ user_id, title }) => `${names.get(user_id)}: ${title.replace(/^Ticket #\w+: /, '')}`)
    .sort();
}

test('the assignee’s phone gets one push before each target is missed', async () => {
  const ticket = await open();
  await call('assign', { ticket, assignee: agent.id });
  const phone = await registerPhone(gateway, agent, firm.slug, 'admin');
  const other = await registerPhone(gateway, colleague, firm.slug, 'admin');
  const pushes = async ({ deviceToken }: typeof phone) => {
    await runPushJobs(services);
    const received = gateway.apns.received.filter((push) => push.deviceToken === deviceToken);
    return received.map(({ payload }) => (payload as { aps: { alert: { title: string } } }).aps.alert.title);
  };
  passMinutes(44);
  expect(await warnings()).toEqual([]);
  passMinutes(1);
  expect(await warnings()).toEqual(['agent: first response is due in 15 minutes']);
  expect(await warnings()).toHaveLength(1);
  expect(await pushes(phone)).toEqual([expect.stringMatching(/first response is due in 15 minutes$/)]);
  expect(await pushes(other)).toEqual([]);
  passMinutes(60);
  expect(await warnings()).toEqual([
    'agent: first response is due in 15 minutes',
    'agent: resolution is due in 15 minutes',
  ]);
  passMinutes(60);
  expect(await warnings()).toHaveLength(2);
});

test('without an assignee the team is warned, else all agents, also of a short target and after a delay', async () => {
  const team = await createTeam(services, { firm, members: [colleague] });
  const ticket = await open();
  await call('assign', { ticket, team });
  passMinutes(50);
  expect(await warnings()).toEqual(['colleague: first response is due in 10 minutes']);
  await open({ priority: 'urgent' });
  passMinutes(4);
  expect(await warnings()).toEqual([]);
  passMinutes(1);
  expect(await warnings()).toEqual([
    'agent: first response is due in 5 minutes',
    'colleague: first response is due in 5 minutes',
  ]);
  await open();
  passMinutes(300);
  expect(await warnings()).toContain('colleague: first response is overdue');
});

test('a target is warned of once, also if its due time moves', async () => {
  const ticket = await open();
  passMinutes(45);
  expect(await warnings()).toHaveLength(2);
  await call('setStatus', { ticket, status: 'awaiting_trader' });
  await services.pool.query('delete from notifications where workspace_id = $1', [firm.id]);
  await call('setStatus', { ticket, status: 'awaiting_admin' });
  await services.pool.query('delete from notifications where workspace_id = $1', [firm.id]);
  passMinutes(14);
  expect(await warnings()).toEqual([]);
});

test('a target that was missed before it was set is not warned of, also with the other target of its ticket', async () => {
  await setTargets(null);
  await open();
  passMinutes(90);
  await setTargets();
  await refreshAllDueTimes(services, { workspace: firm.id });
  passMinutes(14);
  expect(await warnings()).toEqual([]);
  passMinutes(1);
  expect(await warnings()).toEqual([
    'agent: resolution is due in 15 minutes',
    'colleague: resolution is due in 15 minutes',
  ]);
  passMinutes(60);
  expect(await warnings()).toHaveLength(2);
});

test('a target that was used up while the clock stood still is not warned of, nor is one missed long ago', async () => {
  const ticket = await open();
  await setTargets(null);
  passMinutes(115);
  await call('setStatus', { ticket, status: 'awaiting_trader' });
  await setTargets();
  await call('setStatus', { ticket, status: 'awaiting_admin' });
  await services.pool.query('delete from notifications where workspace_id = $1', [firm.id]);
  expect(await warnings()).toEqual([
    'agent: resolution is due in 5 minutes',
    'colleague: resolution is due in 5 minutes',
  ]);
});

test('a target that is met, that stands still, or in a firm without warnings, is not warned of', async () => {
  const [answered, paused] = [await open(), await open()];
  await call('reply', { ticket: answered, body: 'Paid.' });
  await call('setStatus', { ticket: paused, status: 'awaiting_trader' });
  await setTargets(null);
  await open();
  passMinutes(300);
  expect(await warnings()).toEqual([]);
});

test('a firm that is suspended is warned when it is resumed', async () => {
  await open();
  const suspend = (at: Date | null) =>
    services.pool.query('update workspaces set suspended_at = $2 where id = $1', [firm.id, at]);
  await suspend(clock.now());
  passMinutes(45);
  expect(await warnings()).toEqual([]);
  await suspend(null);
  expect(await warnings()).toHaveLength(2);
});

test('a ticket that fails is logged, delays no other ticket of its firm, and is warned of once it works', async () => {
  const [failing, other] = [await open(), await open()];
  await services.pool.query(
    `alter table notifications add constraint fault check (action_url not like '%${failing}')`,
  );
  passMinutes(45);
  for (let run = 0; run < 2; run++) {
    await expect(warnOfDueTickets(services)).rejects.toThrow();
    const { rows } = await services.pool.query(
      'select distinct action_url from notifications where workspace_id = $1',
      [firm.id],
    );
    expect(rows).toEqual([{ action_url: `/tickets/${other}` }]);
    expect(gateway.log.lines.splice(0).filter(({ level }) => level === 'error')).toMatchObject([
      { fields: { workspace: firm.id, ticket: failing } },
    ]);
  }
  await services.pool.query('alter table notifications drop constraint fault');
  expect(await warnings()).toHaveLength(4);
});

test('a firm that fails does not delay the others, also with more due tickets than are read at once', async () => {
  const failing = firm;
  // A few at a time: calls that wait for a connection are answered with 503 after some seconds.
  for (let n = 0; n < 105; n += 5) await Promise.all(Array.from({ length: 5 }, () => open()));
  await services.pool.query(
    `alter table notifications add constraint fault check (workspace_id <> ${failing.id})`,
  );
  passMinutes(1);
  const other = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets', 'manage_assistant']);
  ({ firm, agent, trader, token } = other);
  ({ token: platform } = await createUserWithToken(gateway, { firm, scopes: ['platform:write'] }));
  await setTargets();
  await open();
  passMinutes(50);
  await expect(warnOfDueTickets(services)).rejects.toThrow();
  expect(await notificationsOf(gateway, firm)).toHaveLength(1);
  expect(await notificationsOf(gateway, failing)).toEqual([]);
  expect(gateway.log.lines.splice(0).filter(({ level }) => level === 'error')).toHaveLength(105);
});
