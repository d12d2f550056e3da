import type pg from 'pg';
import { createClient } from '../../connections/connection.ts';
import { whenFree } from '../../connections/connection-slots.ts';
import { delay } from '../../process/delay.ts';
import { ensureOwnSessions } from '../connections/session-pooling.ts';
import { DatabaseUnusableError } from './migrate.ts';

/** The key of the advisory lock that a process holds while it sets up the database. An arbitrary number. */
const SETUP_LOCK = 4_001_734;
/** How long a start waits for a free connection of the server. */
const SLOT_MS = 30_000;
/** How often a waiting process tries to get the lock. */
const POLL_MS = 200;
/** A holder whose last heartbeat is older than this, by the database's clock, loses the lock. */
const SILENT_MS = 15_000;
/** A lock that is held without a setup for longer than this is reported. */
const LEAK_MS = 25_000;

/**
 * Runs work that only one process at a time may do with this database: migrating it and filling it for the first time. Processes
 * that start concurrently wait for each other on a session lock. Neither a dead nor a frozen process keeps it: waiting
 * processes end the holder's session when its heartbeat stops, and the work of a holder that resumes fails.
 */
export async function withSetupLock<T>(
  databaseUrl: string,
  work: () => Promise<T>,
  silentMs = SILENT_MS,
): Promise<T> {
  // Without the limit, a query to a silent server would wait forever.
  await ensureOwnSessions(databaseUrl);
  const client = await whenFree(
    () => createClient(databaseUrl, { name: 'setup lock' }, { query_timeout: silentMs }).connect(),
    SLOT_MS,
  );
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  client.on('end', () =>
    lost.reject(
      new Error(
        `The setup of the database was interrupted: the server ended the session, perhaps because this process did not respond for ${silentMs / 1_000} seconds. Start again.`,
      ),
    ),
  );
  const ended = new AbortController();
  try {
    await lockSetup(client, silentMs);
    void sendHeartbeats(client, silentMs / 5, ended.signal);
    return await Promise.race([work(), lost.promise]);
  } finally {
    ended.abort();
    await client.end();
  }
}

/**
 * Polls for the lock. A statement that waited for it in the server would hold a snapshot, for which a concurrent index build of
 * the lock's holder would wait: a deadlock.
 */
async function lockSetup(client: pg.Client, silentMs: number): Promise<void> {
  let leakedSince: number | null = null;
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [SETUP_LOCK]);
    if (rows[0].locked) return;
    const leaked = await findLeak(client, silentMs);
    if (leaked === null) leakedSince = null;
    else leakedSince ??= performance.now();
    if (leakedSince !== null && performance.now() - leakedSince > (LEAK_MS / SILENT_MS) * silentMs)
      throw new DatabaseUnusableError(
        `The lock for setting up the database is held by session ${leaked} of the server, which does not set it up. End that session: select pg_terminate_backend(${leaked}). A pooler may have left it there: use one that keeps sessions apart (pool_mode = session).`,
      );
    await delay(POLL_MS);
  }
}

/** Ends a holder of the lock that is silent. Returns the process id of a holder that has the lock and is not setting up, or null. */
async function findLeak(client: pg.Client, silentMs: number): Promise<number | null> {
  const { rows } = await client.query<{ pid: number; is_leak: boolean }>(
    `select pid, not (application_name like '% setup lock') or is_silent as is_leak,
       case when is_silent and usename = current_user and application_name = current_setting('application_name')
         then pg_terminate_backend(pid) end
     from pg_locks join pg_stat_activity using (pid),
       lateral (select coalesce(state_change < clock_timestamp() - $2 * interval '1 millisecond', false) as is_silent) holder
     where locktype = 'advisory' and granted and objid = $1 and classid = 0 and datname = current_database()`,
    [SETUP_LOCK, silentMs],
  );
  return rows.find(({ is_leak }) => is_leak)?.pid ?? null;
}

/** Sends heartbeats, which show waiting processes that this one is alive. */
async function sendHeartbeats(client: pg.Client, everyMs: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    await delay(everyMs, signal);
    if (signal.aborted) return;
    try {
      await client.query('select');
    } catch {
      // `withSetupLock` handles the end of the session.
      return void client.end().catch(() => {});
    }
  }
}
