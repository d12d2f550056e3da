import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createClient } from '../../connections/connection.ts';
import { whenFree } from '../../connections/connection-slots.ts';
import { DatabaseUnusableError } from '../migrations/migrate.ts';

const CONNECT_MS = 30_000;
const ANSWER_MS = 15_000;

interface Session {
  pid: number;
  token: string | null;
}

const SHARED = `DATABASE_URL leads to a pooler that gives each transaction another session (PgBouncer with pool_mode = transaction or statement). Locks, signals, jobs and settings need a session for each connection: set pool_mode = session, or connect without the pooler.`;

/** A pooler may by chance give a connection the same session again, while another connection of the process holds the next one. */
const ROUNDS = 10;

/**
 * Rejects a pooler that shares sessions between connections: while a second connection is in a transaction, the first must keep the
 * session that it had before, and the second must have another one.
 *
 * @throws DatabaseUnusableError
 */
export async function ensureOwnSessions(databaseUrl: string): Promise<void> {
  const connect = () =>
    whenFree(
      () => createClient(databaseUrl, { name: 'session check' }, { query_timeout: ANSWER_MS }).connect(),
      CONNECT_MS,
    );
  const first = await connect();
  try {
    const second = await connect();
    try {
      for (let round = 0; round < ROUNDS; round++)
        if (!(await haveOwnSessions(first, second))) throw new DatabaseUnusableError(SHARED);
    } finally {
      await second.end();
    }
  } finally {
    await first.end();
  }
}

async function haveOwnSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  const token = randomUUID();
  const marked = await first.query<Session>(
    `select pg_backend_pid() as pid, set_config('firmdesk.session', $1, false) as token`,
    [token],
  );
  await second.query('begin').catch((error: Error) => {
    throw /statement pooling/.test(error.message) ? new DatabaseUnusableError(SHARED) : error;
  });
  const [mine, theirs] = [await readSession(first), await readSession(second)];
  await second.query('rollback');
  return mine.token === token && mine.pid === marked.rows[0]!.pid && theirs.token !== token;
}

async function readSession(client: pg.Client): Promise<Session> {
  const { rows } = await client.query<Session>(
    `select pg_backend_pid() as pid, current_setting('firmdesk.session', true) as token`,
  );
  return rows[0]!;
}
