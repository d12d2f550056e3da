import pg from 'pg';
import { connectionOptions } from './connection.ts';
import { delay } from './delay.ts';

/** Any number: it names the lock that one process holds while it sets the database up. */
const SETUP_LOCK = 4_001_734;
/** How often a process that waits for the lock asks for it. */
const POLL_MS = 200;
/** A process that holds the lock and has sent nothing for so long, by the database's clock, loses it. */
const SILENT_MS = 15_000;

/**
 * Runs what only one process may do at a time with this database: migrate it, fill it at first. Processes that start at
 * once wait for each other on a session lock. A dead process cannot keep it, and neither can a frozen one: those that wait
 * end the holder's session when its heartbeat stops. If it wakes, it fails.
 */
export async function withSetupLock<T>(
  databaseUrl: string,
  work: () => Promise<T>,
  silentMs = SILENT_MS,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    ...connectionOptions({ name: 'setup lock' }),
    // A server that is silent must not be waited for.
    query_timeout: silentMs,
  });
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  client.on('error', () => {});
  client.on('end', () =>
    lost.reject(
      new Error(
        `The setup of the database was broken off: the server ended the session, perhaps because this process did not answer for ${silentMs / 1_000} seconds. Start it again.`,
      ),
    ),
  );
  await client.connect();
  const ended = new AbortController();
  try {
    await lockSetup(client, silentMs);
    void beat(client, silentMs / 5, ended.signal);
    return await Promise.race([work(), lost.promise]);
  } finally {
    ended.abort();
    await client.end();
  }
}

/**
 * Asks for the lock until it gets it. A statement that waited for it inside the server would hold a snapshot all the while:
 * a concurrent index build of the process that has the lock would wait for that one, and never end.
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

/** Lets those that wait see that this process is alive. */
async function beat(client: pg.Client, everyMs: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    await delay(everyMs, signal);
    if (signal.aborted) return;
    try {
      await client.query('select');
    } catch {
      // Its end is noticed where the work runs.
      return void client.end().catch(() => {});
    }
  }
}
