import type pg from 'pg';

/** The purpose of a connection to PostgreSQL, and its limits. */
export interface ConnectionUse {
  /** Shown in `pg_stat_activity` after `firmdesk`. */
  name: string;
  /** How long one statement may run (15 s); null for no limit. */
  statementTimeoutMs?: number | null;
  lockTimeoutMs?: number;
  /** How long connecting, or waiting for a free connection of a pool, may take (5 s). */
  connectTimeoutMs?: number;
  isReadOnly?: boolean;
}

export const STATEMENT_TIMEOUT_MS = 15_000;
/** With the longest statement, this bounds how long a frozen process holds locks in a transaction. */
const IDLE_IN_TRANSACTION_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEPALIVE_MS = 10_000;

/**
 * Returns the options of every connection that Firmdesk opens: UTC, time limits, and keepalives with which the server drops the
 * session when the client's host is unreachable for 20 seconds.
 */
export function connectionOptions(use: ConnectionUse): pg.ClientConfig {
  const statementTimeoutMs =
    use.statementTimeoutMs === undefined ? STATEMENT_TIMEOUT_MS : use.statementTimeoutMs;
  const settings: Record<string, string | number> = {
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
  };
  return {
    application_name: `firmdesk ${use.name}`,
    connectionTimeoutMillis: use.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
}
