import { createTicket, type TestUser } from '@firmdesk/testing';
import {
  createTicketFixture,
  type Firm,
  notificationsOf,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { startWorkers } from '../../app/jobs.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { moveRequestedJobs } from '../../platform/jobs/job-forwarder.ts';
import { writeTraderMessage } from '../messages/trader-messages.ts';
import { wakeTicket } from './snooze.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let agent: TestUser;
let trader: TestUser;
let token: string;
let ticket: string;
const { call, get, codeOf } = ticketCalls(gateway, () => token);
const HOUR_MS = 3_600_000;

beforeEach(async () => {
  ({ firm, agent, trader, token } = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets']));
  ticket = await createTicket(services, {
    firm,
    trader,
    status: 'awaiting_trader',
    assignee: agent,
    messages: [{ body: 'Where is my payout?' }],
  });
});

const inMs = (ms: number) => new Date(gateway.clock.now().getTime() + ms).toISOString();
const listed = async (snoozed?: string) =>
  (await call('list', snoozed ? { snoozed } : {})).data.map(({ id }: { id: string }) => id);
const wake = (until: string) => wakeTicket(services, { workspace: firm.id, ticket, until });
const write = (body: string) =>
  withTransaction(services, (ctx) =>
    writeTraderMessage({ ...ctx, workspace: firm }, { ticket, from: trader.email, body, via_email: false }),
  );

describe('a snoozed ticket', () => {
  test('is left out where snoozed ones are hidden, and of the counts', async () => {
    const other = await createTicket(services, { firm, trader, status: 'awaiting_trader' });
    const until = inMs(HOUR_MS);
    expect(await call('snooze', { ticket, until })).toMatchObject({ snoozed: true, snoozed_until: until });
    expect(await listed()).toHaveLength(2);
    expect(await listed('hidden')).toEqual([other]);
    expect(await listed('only')).toEqual([ticket]);
    expect(await call('counts', {})).toMatchObject({ trader: 1, snoozed: 1 });
  });

  test('comes back at its time: it awaits the team, shows since when, and notifies its assignee', async () => {
    const until = inMs(HOUR_MS);
    await call('snooze', { ticket, until });
    await wake(inMs(HOUR_MS / 2));
    expect(await get(ticket)).toMatchObject({ snoozed: true });
    gateway.clock.advance(HOUR_MS);
    await Promise.all([wake(until), wake(until)]);
    expect(await get(ticket)).toMatchObject({
      snoozed: false,
      snoozed_until: null,
      woken_at: until,
      status: 'awaiting_admin',
    });
    expect(await notificationsOf(gateway, firm)).toMatchObject([
      { user_id: agent.id, title: expect.stringMatching(/awaits an answer$/) },
    ]);
    await call('reply', { ticket, body: 'Paid.' });
    expect(await get(ticket)).toMatchObject({ woken_at: null });
  });

  test('notifies its assignee also if it awaited the team all the time', async () => {
    await call('setStatus', { ticket, status: 'awaiting_admin' });
    const until = inMs(HOUR_MS);
    await call('snooze', { ticket, until });
    await wake(until);
    expect(await notificationsOf(gateway, firm)).toMatchObject([{ user_id: agent.id }]);
  });

  test('comes back by a job, also one of a worker that starts later', async () => {
    await call('snooze', { ticket, until: inMs(500) });
    const worker = await startWorkers(services);
    try {
      await expect.poll(async () => (await get(ticket)).status).toBe('awaiting_admin');
    } finally {
      await worker.stop();
    }
  });

  test('comes back when its trader writes, with or without a time', async () => {
    for (const until of [null, inMs(HOUR_MS)]) {
      expect(await call('snooze', { ticket, until })).toMatchObject({ snoozed: true, snoozed_until: until });
      await write('Any news?');
      expect(await get(ticket)).toMatchObject({ snoozed: false, woken_at: expect.any(String) });
      if (until) {
        await wake(until);
        expect(await get(ticket)).toMatchObject({ status: 'open' });
      }
    }
  });

  test('stays snoozed when the team writes, until it ends the snooze or the ticket', async () => {
    await call('snooze', { ticket, until: null });
    await call('reply', { ticket, body: 'We will see.' });
    expect(await get(ticket)).toMatchObject({ snoozed: true });
    expect(await call('endSnooze', { ticket })).toMatchObject({ snoozed: false, woken_at: null });
    await call('snooze', { ticket, until: null });
    expect(await call('setStatus', { ticket, status: 'resolved' })).toMatchObject({ snoozed: false });
  });

  test('has one end: a later snooze replaces an earlier one', async () => {
    const [first, second] = [inMs(HOUR_MS), inMs(2 * HOUR_MS)];
    await call('snooze', { ticket, until: first });
    await call('snooze', { ticket, until: second });
    await wake(first);
    expect(await get(ticket)).toMatchObject({ snoozed: true, snoozed_until: second });
  });

  test('comes back also if the job of its earlier snooze is queued after that of the later one', async () => {
    await call('snooze', { ticket, until: inMs(300) });
    const { rows } = await services.pool.query(
      'delete from job_requests where workspace_id = $1 returning workspace_id, task, payload, run_at, key',
      [firm.id],
    );
    await call('snooze', { ticket, until: inMs(600) });
    await moveRequestedJobs(services.firmServers);
    await services.pool.query(
      `insert into job_requests (workspace_id, task, payload, run_at, key)
       select * from json_to_recordset($1) as r (workspace_id integer, task text, payload json, run_at timestamptz, key text)`,
      [JSON.stringify(rows)],
    );
    await moveRequestedJobs(services.firmServers);
    const worker = await startWorkers(services);
    try {
      await expect.poll(async () => (await get(ticket)).status).toBe('awaiting_admin');
    } finally {
      await worker.stop();
    }
  });

  test('is not ended, and its time is in the future, at most 366 days ahead', async () => {
    for (const until of [inMs(0), inMs(-1), inMs(366 * 24 * HOUR_MS + 1)])
      expect(await codeOf('snooze', { ticket, until })).toBe('validation_failed');
    expect(await codeOf('snooze', { ticket, until: inMs(366 * 24 * HOUR_MS) })).toBeNull();
    await call('setStatus', { ticket, status: 'closed' });
    expect(await codeOf('snooze', { ticket, until: null })).toBe('ticket_ended');
  });
});
