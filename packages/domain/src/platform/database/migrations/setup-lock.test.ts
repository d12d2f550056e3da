import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { createClient } from '../../connections/connection.ts';
import { withSetupLock } from './setup-lock.ts';

test('runs the work of two processes one after the other, also after a failure', async () => {
  const url = inject('postgresUrl');
  const steps: string[] = [];
  const entered = Promise.withResolvers<void>();
  const first = withSetupLock(url, async () => {
    entered.resolve();
    await second.started;
    steps.push('first');
    throw new Error('the work failed');
  });
  const started = Promise.withResolvers<void>();
  const second = { started: started.promise };
  await entered.promise;
  const waiting = withSetupLock(url, async () => void steps.push('second'));
  started.resolve();
  await expect(first).rejects.toThrow('the work failed');
  await waiting;
  expect(steps).toEqual(['first', 'second']);
});

const SILENT_MS = 1_000;

test('ends the session of a frozen holder, and gives its lock to a waiting process', async () => {
  const url = inject('postgresUrl');
  const entered = Promise.withResolvers<void>();
  // A frozen holder: an idle session that has the lock and sends no heartbeat.
  const frozen = createClient(url, { name: 'setup lock' });
  const ended = new Promise((resolve) => frozen.once('end', resolve));
  frozen.on('error', () => {});
  await frozen.connect();
  await frozen.query('select pg_advisory_lock(4001734)');
  await withSetupLock(url, async () => entered.resolve(), SILENT_MS);
  await entered.promise;
  await ended;
});

test('lets a holder that sends heartbeats keep the lock as long as it works', async () => {
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
  // Without heartbeats the other process would have the lock by now.
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

test('rejects with an explanation when the lock is lost during the work', async () => {
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
  await expect(broken).rejects.toThrow('The setup of the database was interrupted');
  await other.end();
});

test('rejects in bounded time when a session that does not set up holds the lock', async () => {
  const url = inject('postgresUrl');
  const holder = new pg.Client({ connectionString: url, application_name: 'leaked' });
  await holder.connect();
  await holder.query('select pg_advisory_lock(4001734)');
  const { rows } = await holder.query('select pg_backend_pid() as pid');
  try {
    await expect(withSetupLock(url, async () => {}, SILENT_MS)).rejects.toThrow(
      `held by session ${rows[0].pid} of the server, which does not set it up`,
    );
  } finally {
    await holder.end();
  }
});
