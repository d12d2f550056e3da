import {
  createTicket,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
  type TestUser,
} from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { WorkspaceRef } from '../../access/identity.ts';
import { DeltaWriter, SupersededError } from './delta-writer.ts';
import type { Attempt } from './run-store.ts';

let base: TestServices;
let firm: WorkspaceRef;
let trader: TestUser;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(base.services);
  trader = await createUser(base.services, { firm, role: 'trader' });
});
afterAll(() => base[Symbol.asyncDispose]());

/** Inserts a run in the state `running`. */
async function insertRun(): Promise<Attempt> {
  const ticket = await createTicket(base.services, { firm, trader });
  const { rows } = await base.services.pool.query<{ id: string }>(
    `insert into assistant_runs
       (workspace_id, ticket_id, kind, state, attempt, status_before, last_message_at, created_at)
     values ($1, $2, 'answer', 'running', 1, 'open', now(), now()) returning id::text as id`,
    [firm.id, ticket],
  );
  return { workspaceId: firm.id, runId: rows[0]!.id, attempt: 1 };
}

async function textOf({ runId }: Attempt): Promise<string> {
  const { rows } = await base.services.pool.query<{ text: string }>(
    `select coalesce(string_agg(e.body ->> 'text', '' order by e.id), '') as text
     from event_log e join assistant_runs r on r.workspace_id = e.workspace_id and r.ticket_id = e.subject
     where e.workspace_id = $2 and r.id = $1 and e.type = 'text_delta'`,
    [runId, firm.id],
  );
  return rows[0]!.text;
}

test('appends the deltas of other replies while one run is locked, and its own after the lock', async () => {
  const [locked, free] = [await insertRun(), await insertRun()];
  const writer = new DeltaWriter(base.services);
  const [lockedReply, freeReply] = [writer.open(locked), writer.open(free)];
  const client = await base.services.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from assistant_runs where workspace_id = $1 and id = $2 for update', [
      firm.id,
      locked.runId,
    ]);
    lockedReply.write('one ');
    freeReply.write('two');
    await vi.waitFor(async () => expect(await textOf(free)).toBe('two'), { timeout: 30_000 });
    lockedReply.write('more');
    expect(await textOf(locked)).toBe('');
  } finally {
    await client.query('rollback');
    client.release();
  }
  await Promise.all([lockedReply.close(), freeReply.close()]);
  expect(await textOf(locked)).toBe('one more');
  expect(await textOf(free)).toBe('two');
});

test('appends a delta once if the result of its statement is lost', async () => {
  const run = await insertRun();
  const { pool } = base.services;
  let lost = 0;
  const query = async (...args: [{ name?: string }]) => {
    const result = await pool.query(...(args as unknown as Parameters<typeof pool.query>));
    if (args[0].name === 'append-deltas' && lost++ === 0)
      throw new Error('Connection terminated unexpectedly');
    return result;
  };
  const losing: typeof pool = Object.assign(Object.create(pool), { query });
  const reply = new DeltaWriter({ ...base.services, pool: losing }).open(run);
  reply.write('one ');
  await vi.waitFor(() => expect(lost).toBeGreaterThan(0), { timeout: 30_000 });
  reply.write('two');
  await reply.close();
  expect(await textOf(run)).toBe('one two');
});

test('rejects a superseded attempt, also when the run is locked first', async () => {
  const run = await insertRun();
  const reply = new DeltaWriter(base.services).open(run);
  const client = await base.services.pool.connect();
  try {
    await client.query('begin');
    await client.query('update assistant_runs set attempt = 2 where workspace_id = $1 and id = $2', [
      firm.id,
      run.runId,
    ]);
    reply.write('late');
    await client.query('commit');
  } finally {
    client.release();
  }
  await expect(reply.close()).rejects.toThrow(SupersededError);
  expect(await textOf(run)).toBe('');
});
