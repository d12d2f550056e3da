import pg from 'pg';
import { DatabaseClient, type DatabaseClientConfig } from '../database/connections/database-client.ts';
import { readDatabaseUrl, type TargetSession } from '../database/connections/database-url.ts';
import { PreparedStatements } from '../database/prepared-statements.ts';
import { whenFree } from './connection-slots.ts';

/** The purpose of a connection to PostgreSQL, and its limits. */
export interface ConnectionUse {
  /** Shown in `pg_stat_activity` after `firmdesk`, or after the `application_name` of the URL. */
  name: string;
  /** How long one statement may run (15 s); null for no limit. */
  statementTimeoutMs?: number | null;
  lockTimeoutMs?: number;
  /** How long connecting, or waiting for a free connection of a pool, may take (5 s, or the URL's `connect_timeout`). */
  connectTimeoutMs?: number;
  isReadOnly?: boolean;
  /** Further settings of its sessions, by name. */
  settings?: Readonly<Record<string, string | number>>;
  /** Which servers are accepted if the URL does not say it (`read-write`): a standby's rows may be old, and it refuses writes. */
  targetSession?: TargetSession;
}

export const STATEMENT_TIMEOUT_MS = 15_000;
/** With the longest statement, this bounds how long a frozen process holds locks in a transaction. */
const IDLE_IN_TRANSACTION_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEPALIVE_MS = 10_000;

/**
 * Returns the options of every connection that Firmdesk opens: what the URL states, UTC, time limits, and keepalives with which the
 * server drops the session when the client's host is unreachable for 20 seconds. Pools and clients must not read the URL themselves.
 * The settings are set by a query, because poolers reject or ignore them at the start of a session.
 */
function clientConfig(databaseUrl: string, use: ConnectionUse): DatabaseClientConfig {
  const address = readDatabaseUrl(databaseUrl);
  const { hosts, user, password, database, tlsOf } = address;
  const statementTimeoutMs =
    use.statementTimeoutMs === undefined ? STATEMENT_TIMEOUT_MS : use.statementTimeoutMs;
  const settings: Record<string, string | number> = {
    ...(address.searchPath !== null && { search_path: address.searchPath }),
    timezone: 'UTC',
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    tcp_keepalives_idle: KEEPALIVE_MS / 1_000,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 2,
    // Servers on other systems do not support it, and would log a message for each connection.
    ...(process.platform === 'linux' && { tcp_user_timeout: 20_000 }),
    ...(statementTimeoutMs !== null && { statement_timeout: statementTimeoutMs }),
    ...(use.lockTimeoutMs !== undefined && { lock_timeout: use.lockTimeoutMs }),
    ...(use.isReadOnly && { default_transaction_read_only: 'on' }),
    ...use.settings,
  };
  return {
    user,
    password,
    database,
    hosts,
    tlsOf,
    targetSession: address.targetSession ?? use.targetSession ?? 'read-write',
    isReadOnly: use.isReadOnly ?? false,
    application_name: `${address.applicationName} ${use.name}`,
    connectionTimeoutMillis: use.connectTimeoutMs ?? address.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    options: address.options,
    settings,
    prepared: new PreparedStatements(),
  };
}

/** Creates a client of the database. It is not connected yet. */
export function createClient(
  databaseUrl: string,
  use: ConnectionUse,
  more: Pick<pg.ClientConfig, 'query_timeout'> = {},
): pg.Client {
  return new DatabaseClient({ ...clientConfig(databaseUrl, use), ...more });
}

type OnConnected = Parameters<pg.Pool['connect']>[0];

/** A pool of {@link DatabaseClient}s. Waits while the server has no free connection, as for one of its own. */
export class DatabasePool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnected): void;
  override connect(callback?: OnConnected): Promise<pg.PoolClient> | undefined {
    const connected = whenFree(() => super.connect(), this.options.connectionTimeoutMillis ?? 0);
    if (!callback) return connected;
    connected.then(
      (client) => {
        // The job queue releases a lost listening connection twice while it stops, which would end the process.
        let isReleased = false;
        callback(undefined, client, (reason) => {
          if (!isReleased) client.release(reason);
          isReleased = true;
        });
      },
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }
}

/** Creates a pool of the database. The first query connects. */
export function createPool(databaseUrl: string, use: ConnectionUse, more: pg.PoolConfig = {}): DatabasePool {
  const { query_timeout, types } = more;
  const config = { ...clientConfig(databaseUrl, use), query_timeout, types };
  class Client extends DatabaseClient {
    constructor() {
      super(config);
    }
  }
  return new DatabasePool({ ...more, Client, connectionTimeoutMillis: config.connectionTimeoutMillis });
}
