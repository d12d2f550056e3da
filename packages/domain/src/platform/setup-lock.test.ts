import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { connectionOptions } from './connection.ts';
import { withSetupLock } from './setup-lock.ts';

test('what one process may do at a time waits for the other, whether it succeeds or not', async () => {
  const url = inject('postgresUrl');
  const steps: string[] = [];
  const entered = Promise.withResolvers<void>();
  const first = withSetupLock(url, async () => {
    entered.resolve();
    await second.started;
    steps.push('first');
    throw new Error('broke off');
  });
  const started = Promise.withResolvers<void>();
  const second = { started: started.promise };
  await entered.promise;
  const waiting = withSetupLock(url, async () => void steps.push('second'));
  started.resolve();
  await expect(first).rejects.toThrow('broke off');
  await waiting;
  expect(steps).toEqual(['first', 'second']);
});

const SILENT_MS = 1_000;

test('a process that waits takes the lock from a holder that is frozen, and the holder fails when it wakes', async () => {
  const url = inject('postgresUrl');
  const entered = Promise.withResolvers<void>();
  // One that is frozen sends no heartbeat: a session that holds the lock and rests.
  const frozen = new pg.Client({ connectionString: url, ...connectionOptions({ name: 'setup lock' }) });
  const ended = new Promise((resolve) => frozen.once('end', resolve));
  frozen.on('error', () => {});
  await frozen.connect();
  await frozen.query('select pg_advisory_lock(4001734)');
  await withSetupLock(url, async () => entered.resolve(), SILENT_MS);
  await entered.promise;
  await ended;
});

test('a holder that works for long keeps the lock while it lives', async () => {
  const url = inject('postgresUrl');
  const steps: string[] = [];
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const first = withSetupLock(
    url,
    async () => {
      entered.resolve();
      await release.promise;
      steps.push('first');
    },
    SILENT_MS,
  );
  await entered.promise;
  const second = withSetupLock(url, async () => void steps.push('second'), SILENT_MS);
  const watcher = new pg.Client(url);
  await watcher.connect();
  // Three heartbeats later the other would have taken it.
  await expect
    .poll(async () => {
      const { rows } = await watcher.query(
        `select clock_timestamp() - backend_start > $1 * interval '1 millisecond' as is_old from pg_stat_activity
         where datname = current_database() and application_name = 'firmdesk setup lock' order by backend_start limit 1`,
        [3 * SILENT_MS],
      );
      return rows[0]?.is_old;
    })
    .toBe(true);
  await watcher.end();
  release.resolve();
  await Promise.all([first, second]);
  expect(steps).toEqual(['first', 'second']);
});

test('work whose lock was lost is broken off with an error that says why', async () => {
  const url = inject('postgresUrl');
  const other = new pg.Client(url);
  await other.connect();
  const broken = withSetupLock(url, async () => {
    await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'firmdesk setup lock'`,
    );
    await new Promise(() => {});
  });
  await expect(broken).rejects.toThrow('The setup of the database was broken off');
  await other.end();
});
