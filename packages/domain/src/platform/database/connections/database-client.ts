import { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { hasStalePlan } from '../database-errors.ts';
import type { PreparedStatements } from '../prepared-statements.ts';
import type { DatabaseHost, TargetSession } from './database-url.ts';

/** The configuration of a client of one database, which several servers may offer. */
export interface DatabaseClientConfig extends pg.ClientConfig {
  hosts: readonly DatabaseHost[];
  tlsOf: ((host: DatabaseHost) => ConnectionOptions) | false;
  targetSession: TargetSession;
  /** The settings of its sessions, by name. */
  settings: Readonly<Record<string, string | number>>;
  /** Whether its sessions are read-only whatever the server accepts. */
  isReadOnly: boolean;
  connectionTimeoutMillis: number;
  /** Shared by the clients of a pool. */
  prepared: PreparedStatements;
}

/** SQLSTATE of a refused write, which a connection to a server in the wrong state gets at once. */
export const READ_ONLY = '25006';

/** Sets the settings, and returns what the session was before. */
const START_SESSION = `
  select array(select set_config(name, setting, false) from unnest($1::text[], $2::text[]) as given (name, setting)) as settings,
    pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly", pg_backend_pid() as pid,
    (select extract(epoch from backend_start)::text from pg_stat_get_activity(pg_backend_pid())) as "startedAt"`;

interface ServerState {
  isStandby: boolean;
  isReadOnly: boolean;
}

/** A session of the server, which no other has ever had. */
export interface ServerSession {
  pid: number;
  /** When it started, in seconds with their fraction, as text. */
  startedAt: string;
}

type OnConnected = (error: Error | null) => void;

/** The server is in another state than the connection demands. Temporary, because servers change their roles. */
class WrongServerError extends Error {
  override name = 'WrongServerError';
  readonly code = READ_ONLY;
  constructor(targetSession: TargetSession) {
    super(`The server is not ${targetSession}, as target_session_attrs demands.`);
  }
}

/**
 * Connects to the first server that is in the demanded state, and sets the settings of the session. Its socket is ours, so that a silent
 * connection can be noticed and ended (see `ConnectionWatch`).
 */
export class DatabaseClient extends pg.Client {
  readonly #config: DatabaseClientConfig;
  readonly #socket: Socket;
  /** The server to connect to. Its certificate is checked against this name. */
  readonly #server: DatabaseHost;
  #isBusy = false;
  #hasFailed = false;
  /** The session behind the connection, which a pooler hides; null until it is known. */
  session: ServerSession | null = null;
  /** Called when the server has refused a write because it only reads. */
  onReadOnly: (() => void) | null = null;

  constructor(config: DatabaseClientConfig) {
    const server = { ...config.hosts[0]! };
    const socket = new Socket();
    super({ ...config, ...server, ssl: config.tlsOf ? config.tlsOf(server) : false, stream: () => socket });
    this.#config = config;
    this.#server = server;
    this.#socket = socket;
    // A connection that ends between two statements, or before its pool has taken it over, would end the process. What uses it next
    // fails, and pools still log the end of an idle one.
    this.on('error', () => {});
    this.on('drain', () => {
      this.#isBusy = false;
      this.#hasFailed = false;
    });
  }

  /** As the server shows it. */
  get applicationName(): string {
    return this.#config.application_name ?? '';
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  /** Whether the server has not yet finished a statement. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Whether the statement that the server has not finished has failed already. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Whether no statement and no transaction runs. */
  get isIdle(): boolean {
    return !this.#isBusy && this.getTransactionStatus() === 'I';
  }

  /** Ends the connection at once, without a word to the server. */
  destroy(): void {
    this.#socket.destroy();
  }

  // biome-ignore lint/suspicious/noExplicitAny: implements all overloads of the driver.
  override query(config: any, values?: any, callback?: any): any {
    this.#isBusy = true;
    if (typeof config?.submit === 'function') return super.query(config);
    // The statements of a transaction find rows by their keys, so that one plan serves all of them; lists and searches are planned for their values.
    if (
      typeof config === 'string' &&
      Array.isArray(values) &&
      values.length > 0 &&
      this.getTransactionStatus() === 'T'
    ) {
      const name = this.#config.prepared.nameOf(config);
      if (name !== undefined) return this.query({ name, text: config, values }, undefined, callback);
    }
    const done = typeof values === 'function' ? values : callback;
    if (done) {
      return super.query(config, values === done ? undefined : values, (error, result) => {
        if (error) this.#onFailure(error);
        done(error, result);
      });
    }
    return super.query(config, values).catch((error: unknown) => {
      this.#onFailure(error);
      throw error;
    });
  }

  #onFailure(error: unknown): void {
    // The driver reports a failure before it reports that the server is ready again, or together with it.
    this.#hasFailed = this.#isBusy;
    const isReadOnly = error instanceof pg.DatabaseError && error.code === READ_ONLY;
    if (isReadOnly) this.onReadOnly?.();
    // The server only reads, or the columns of a prepared statement have changed: the connection would fail for ever.
    if (isReadOnly || hasStalePlan(error)) process.nextTick(() => this.destroy());
  }

  override connect(): Promise<this>;
  override connect(callback: OnConnected): void;
  override connect(callback?: OnConnected): Promise<this> | undefined {
    const connected = this.#connect();
    if (!callback) return connected.then(() => this);
    connected.then(
      () => callback(null),
      (error: Error) => callback(error),
    );
    return undefined;
  }

  async #connect(): Promise<void> {
    const { hosts, targetSession, isReadOnly, connectionTimeoutMillis } = this.#config;
    const timer = setTimeout(() => this.destroy(), connectionTimeoutMillis);
    try {
      if (hosts.length > 1) Object.assign(this.#server, await this.#chooseHost());
      // The time is over, or the pool has given up.
      if (this.#socket.destroyed) throw new Error('timeout exceeded when trying to connect');
      Object.assign(this, this.#server);
      await super.connect();
      const state = await this.#startSession();
      // What the role or the database states says nothing about the server.
      if (!isAccepted(targetSession, { ...state, isReadOnly: state.isReadOnly && !isReadOnly })) {
        await this.end();
        throw new WrongServerError(targetSession);
      }
    } catch (error) {
      // A server that does not answer must not delay the error.
      this.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #startSession(): Promise<ServerState> {
    const { settings } = this.#config;
    const values = [Object.keys(settings), Object.values(settings).map(String)];
    const { rows } = await super.query<ServerState & ServerSession>(START_SESSION, values);
    const { pid, startedAt, ...state } = rows[0]!;
    this.session = { pid, startedAt };
    return state;
  }

  /** Connects to every host at once, and returns the first that answers and is in the demanded state. */
  async #chooseHost(): Promise<DatabaseHost> {
    const { hosts, targetSession } = this.#config;
    const firstIn = (target: TargetSession) =>
      Promise.any(
        hosts.map(async (host) => {
          const probe = new DatabaseClient({ ...this.#config, hosts: [host], targetSession: target });
          await probe.connect();
          void probe.end().catch(() => {});
          return host;
        }),
      );
    try {
      if (targetSession === 'prefer-standby') return await firstIn('standby').catch(() => firstIn('any'));
      return await firstIn(targetSession);
    } catch (error) {
      // A server in another state says more than one that does not answer.
      const { errors } = error as AggregateError;
      throw errors.find((each) => each instanceof WrongServerError) ?? errors[0];
    }
  }
}

function isAccepted(targetSession: TargetSession, { isStandby, isReadOnly }: ServerState): boolean {
  switch (targetSession) {
    case 'read-write':
      return !isStandby && !isReadOnly;
    case 'read-only':
      return isStandby || isReadOnly;
    case 'primary':
      return !isStandby;
    case 'standby':
      return isStandby;
    default:
      return true;
  }
}
