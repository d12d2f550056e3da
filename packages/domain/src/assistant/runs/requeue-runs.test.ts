import {
  createTicket,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
  type TestUser,
} from '@firmdesk/testing';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import type { WorkspaceRef } from '../../access/identity.ts';
import { startWorkers } from '../../app/jobs.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { moveRequestedJobs } from '../../platform/jobs/job-forwarder.ts';
import { openTicket, writeTraderMessage } from '../../tickets/messages/trader-messages.ts';
import type { Assistant } from '../assistant.ts';
import { requeueRuns } from './requeue-runs.ts';

const assistant: Assistant = {
  async *reply() {
    yield 'An answer.';
  },
};

let base: TestServices;
let firm: WorkspaceRef;
let trader: TestUser;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'), { assistant });
});
afterAll(() => base[Symbol.asyncDispose]());
beforeEach(async () => {
  firm = await createWorkspace(base.services);
  trader = await createUser(base.services, { firm, role: 'trader' });
});

const write = (ticket: string, body: string) =>
  withTransaction(base.services, (ctx) =>
    writeTraderMessage({ ...ctx, workspace: firm }, { ticket, from: trader.email, body, via_email: false }),
  );
const rowsOf = async (query: string, ...values: unknown[]) =>
  (await base.services.pool.query(query, values)).rows;
const statusOf = async (ticket: string) =>
  (await rowsOf('select status from tickets where id = $1', ticket))[0].status;

/** Runs workers until the ticket is no longer open. */
async function work(ticket: string): Promise<void> {
  const worker = await startWorkers(base.services);
  try {
    await vi.waitFor(async () => expect(await statusOf(ticket)).not.toBe('open'), { timeout: 30_000 });
  } finally {
    await worker.stop();
  }
}

test('enqueues one job for the runs of a ticket, and requeues no run that has a job', async () => {
  const ticket = await createTicket(base.services, { firm, trader });
  await write(ticket, 'Hello?');
  await write(ticket, 'Hello??');
  expect(await rowsOf('select key from job_requests where task = $1', 'assistant.reply')).toHaveLength(1);
  expect(await requeueRuns(base.services)).toBe(0);
  await work(ticket);
});

test.each([
  ['is gone', 'delete from graphile_worker._private_jobs where key like $1'],
  [
    'has failed for good',
    'update graphile_worker._private_jobs set attempts = max_attempts where key like $1',
  ],
])('writes a reply whose job %s', async (_name, lose) => {
  const ticket = await createTicket(base.services, { firm, trader });
  await write(ticket, 'Hello?');
  await moveRequestedJobs(base.services.firmServers);
  await base.services.pool.query(lose, ['assistant.reply:%']);
  expect(await requeueRuns(base.services)).toBe(1);
  expect(await requeueRuns(base.services)).toBe(0);
  await work(ticket);
  expect(
    await rowsOf("select body from ticket_messages where ticket_id = $1 and from_kind = 'ai'", ticket),
  ).toEqual([{ body: 'An answer.' }]);
});

test('leaves a ticket to the team if its run cannot be started', async () => {
  const { ticket } = await withTransaction(base.services, (ctx) =>
    openTicket(
      { ...ctx, workspace: firm },
      {
        from: trader.email,
        subject: 'poison',
        body: 'Hello?',
        via_email: false,
        priority: 'normal',
        ai_enabled: true,
      },
    ),
  );
  // Writing the start of this ticket's run fails.
  await base.services.pool.query(`
    alter table assistant_runs add constraint fault check (state <> 'running' or ticket_id <> '${ticket.id}')`);
  await work(ticket.id);
  expect(await statusOf(ticket.id)).toBe('awaiting_admin');
  expect(
    await rowsOf(
      "select event from ticket_messages where ticket_id = $1 and from_kind = 'system'",
      ticket.id,
    ),
  ).toEqual([{ event: 'ai_command_failed' }]);
});
