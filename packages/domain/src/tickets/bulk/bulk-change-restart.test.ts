import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { countLockWaiters, createTicket, createUser } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { expect, test, vi } from 'vitest';
import { handle } from '../../platform/jobs/jobs.ts';
import { startWorker } from '../../platform/jobs/worker.ts';
import { runBulkChangeJob } from './bulk-change.ts';
import { runBulkChange } from './run-bulk-change.ts';

const gateway = await suiteGateway();
const { services, databaseUrl } = gateway;
// Long enough that a busy machine renews in time.
const times = { leaseMs: 4_000, renewMs: 500 };
const WAIT = { timeout: 60_000 };

test('a bulk change continues after its worker was killed, and changes each ticket once', async () => {
  const { firm, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets'],
  });
  const { call } = ticketCalls(gateway, () => token);
  const trader = await createUser(services, { firm, role: 'trader' });
  const tickets: string[] = [];
  for (let i = 0; i < 120; i++) tickets.push(await createTicket(services, { firm, trader }));
  const last = tickets.toSorted().at(-1);
  const { id } = await call('bulkChanges.start', {
    filter: {},
    action: { set: 'priority', priority: 'high' },
  });

  // A lock on a ticket of the second batch stops the worker there, so that the kill hits it in the middle.
  const client = await services.pool.connect();
  await client.query('begin');
  await client.query('select from tickets where workspace_id = $1 and id = $2 for update', [firm.id, last]);
  const child = spawn(
    process.execPath,
    [
      new URL('./testing/bulk-change-worker.ts', import.meta.url).pathname,
      databaseUrl,
      JSON.stringify(times),
    ],
    { stdio: 'inherit' },
  );
  try {
    await vi.waitFor(async () => {
      expect(await call('bulkChanges.get', { id })).toMatchObject({ state: 'running', changed: 100 });
      // Changes of the first batch can wait for other locks.
      expect(await countLockWaiters(databaseUrl)).toBeGreaterThan(0);
    }, WAIT);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await client.query('rollback');
    client.release();
  }

  const worker = await startWorker(services, [handle(runBulkChangeJob, runBulkChange)], [], { times });
  try {
    await vi.waitFor(
      async () =>
        expect(await call('bulkChanges.get', { id })).toMatchObject({
          state: 'done',
          changed: 120,
          skipped: 0,
        }),
      WAIT,
    );
  } finally {
    await worker.stop();
  }
  const { rows } = await services.pool.query('select subject from event_log where workspace_id = $1', [
    firm.id,
  ]);
  expect(rows.map(({ subject }) => subject).sort()).toEqual(tickets.toSorted());
}, 180_000);
