import type pg from 'pg';
import { createClient } from './connection.ts';
import { delay } from './delay.ts';

/** The key of the advisory lock that a process holds while it sets up the database. An arbitrary number. */
const SETUP_LOCK = 4_001_734;
/** How often a waiting process tries to get the lock. */
const POLL_MS = 200;
/** A holder whose last heartbeat is older than this, by the database's clock, loses the lock. */
const SILENT_MS = 15_000;

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
  const client = createClient(databaseUrl, { name: 'setup lock' }, { query_timeout: silentMs });
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  client.on('error', () => {});
  client.on('end', () =>
    lost.reject(
      new Error(
        `The setup of the database was interrupted: the server ended the session, perhaps because this process did not respond for ${silentMs / 1_000} seconds. Start again.`,
      ),
    ),
  );
  await client.connect();
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
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [SETUP_LOCK]);
    if (rows[0].locked) return;
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and objid = $1 and classid = 0 and datname = current_database()
         and application_name = current_setting('application_name')
         and state_change < clock_timestamp() - $2 * interval '1 millisecond'`,
      [SETUP_LOCK, silentMs],
    );
    await delay(POLL_MS);
  }
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
