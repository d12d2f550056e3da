import pg from 'pg';
import type { ServerSession } from './database-client.ts';

/** Does nothing for a session that has ended or is on another server. */
const END = `
  select pg_terminate_backend(activity.pid)
  from unnest($1::integer[], $2::text[]) as lost (pid, started_at)
    join pg_stat_activity activity
      on activity.pid = lost.pid and extract(epoch from activity.backend_start)::text = lost.started_at`;

/**
 * Ends sessions through another connection to their server, so that they release their locks. A server that refuses it ends them by its own
 * limits.
 *
 * @throws if the server does not answer
 */
export async function endSessions(client: pg.ClientBase, sessions: readonly ServerSession[]): Promise<void> {
  if (sessions.length === 0) return;
  const values = [sessions.map(({ pid }) => pid), sessions.map(({ startedAt }) => startedAt)];
  await client.query(END, values).catch((error: Error) => {
    if (!(error instanceof pg.DatabaseError)) throw error;
  });
}
