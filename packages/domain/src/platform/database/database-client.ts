import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { hasStalePlan } from './database-errors.ts';
import type { DatabaseHost, TargetSession } from './database-url.ts';

/** The configuration of a client of one database, which several servers may offer. */
export interface DatabaseClientConfig extends Omit<pg.ClientConfig, 'Client'> {
  hosts: readonly DatabaseHost[];
  tlsOf: ((host: DatabaseHost) => ConnectionOptions) | false;
  targetSession: TargetSession;
  /** The settings of its sessions, by name. */
  settings: Readonly<Record<string, string | number>>;
  /** Whether the connection only asks for the state of the server. */
  isProbe?: boolean;
  /** Whether the session's own settings make it read-only, which says nothing about the server. */
  setsReadOnly: boolean;
  /** The class with which a pool creates its clients. */
  Client: new () => pg.ClientBase;
}

/** SQLSTATE of a refused write, which a connection to a server in the wrong state gets at once. */
export const READ_ONLY = '25006';

const UTC = 'UTC';

const APPLY_SETTINGS = `
  select array(select set_config(name, setting, false) from unnest($1::text[], $2::text[]) as given (name, setting)) as settings,
    pg_backend_pid() as pid,
    (select extract(epoch from backend_start)::text from pg_stat_get_activity(pg_backend_pid())) as "startedAt"`;

/** Members of pg's client that its types omit. */
interface Internals {
  connection: NodeJS.EventEmitter & { stream: Socket; ssl: unknown };
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
 * Connects to the first server that is in the demanded state, and sets the settings of the session. The server reports its state and the
 * time zone at the start of the session, and each change: a session whose server no longer accepts writes, or that lost its time zone, ends.
 */
export class DatabaseClient extends pg.Client {
  readonly #config: DatabaseClientConfig;
  readonly #reported = new Map<string, string>();
  #isChecked = false;
  /** The session behind the connection, which a pooler hides; null until it is known. */
  session: ServerSession | null = null;

  constructor(config: DatabaseClientConfig) {
    const [first] = config.hosts;
    super({
      ...withPassword(config),
      host: first!.host,
      port: first!.port,
      ssl: config.tlsOf ? config.tlsOf(first!) : false,
    });
    this.#config = config;
    // A connection that ends between two statements, or before its pool has taken it over, would end the process. What uses it next
    // fails, and pools still log the end of an idle one.
    this.on('error', () => {});
    this.#connection.on(
      'parameterStatus',
      ({ parameterName, parameterValue }: { parameterName: string; parameterValue: string }) => {
        this.#reported.set(parameterName, parameterValue);
        if (this.#isChecked && !(this.#isAccepted() && this.#isUtc())) this.#destroySoon();
      },
    );
    // The columns of a prepared statement have changed, and it would fail on this connection for ever.
    this.#connection.on('errorMessage', (error: unknown) => {
      if (hasStalePlan(error)) this.#destroySoon();
    });
  }

  /** As the server shows it. */
  get applicationName(): string {
    return this.#config.application_name ?? '';
  }

  /** Ends the connection after the messages that have arrived with this one. */
  #destroySoon(): void {
    process.nextTick(() => this.#connection.stream.destroy());
  }

  get #connection(): Internals['connection'] {
    return (this as unknown as Internals).connection;
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
    const { hosts, tlsOf, targetSession } = this.#config;
    if (hosts.length > 1) {
      const chosen = await this.#chooseHost();
      // The pool has given up meanwhile.
      if (this.#connection.stream.destroyed) throw new Error('timeout exceeded when trying to connect');
      Object.assign(this, chosen);
      if (tlsOf) this.#connection.ssl = tlsOf(chosen);
    }
    await super.connect();
    if (!this.#isAccepted()) {
      await this.end();
      throw new WrongServerError(targetSession);
    }
    if (!this.#config.isProbe) await this.#applySettings();
    this.#isChecked = true;
  }

  /** Sets the settings of the session, and ends it if they do not apply: times would be read in another time zone. */
  async #applySettings(): Promise<void> {
    const { settings, connectionTimeoutMillis } = this.#config;
    try {
      const { rows } = await this.query<ServerSession>({
        text: APPLY_SETTINGS,
        values: [Object.keys(settings), Object.values(settings).map(String)],
        query_timeout: connectionTimeoutMillis,
      } as pg.QueryConfig);
      const { pid, startedAt } = rows[0]!;
      this.session = { pid, startedAt };
      if (!this.#isUtc()) throw new Error('The session does not keep its time zone.');
    } catch (error) {
      // A server that does not answer must not delay the error.
      this.#connection.stream.destroy();
      throw error;
    }
  }

  #isUtc(): boolean {
    return (this.#reported.get('TimeZone') ?? UTC) === UTC;
  }

  #isAccepted(): boolean {
    const isStandby = this.#reported.get('in_hot_standby') === 'on';
    const isReadOnly =
      isStandby ||
      (!this.#config.setsReadOnly && this.#reported.get('default_transaction_read_only') === 'on');
    switch (this.#config.targetSession) {
      case 'read-write':
        return !isReadOnly;
      case 'read-only':
        return isReadOnly;
      case 'primary':
        return !isStandby;
      case 'standby':
        return isStandby;
      default:
        return true;
    }
  }

  /** Connects to every host at once, and returns the first that answers and is in the demanded state. */
  async #chooseHost(): Promise<DatabaseHost> {
    const { hosts, targetSession } = this.#config;
    const firstIn = (target: TargetSession) =>
      Promise.any(
        hosts.map((host) =>
          probe({ ...withPassword(this.#config), isProbe: true, hosts: [host], targetSession: target }),
        ),
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

/** Copies a configuration with its password, which pools hide from a plain copy. */
function withPassword(config: DatabaseClientConfig): DatabaseClientConfig {
  return { ...config, password: config.password };
}

async function probe(config: DatabaseClientConfig): Promise<DatabaseHost> {
  const client = new DatabaseClient(config);
  await client.connect();
  void client.end().catch(() => {});
  return config.hosts[0]!;
}
