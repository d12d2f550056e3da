import type pg from 'pg';
import { DatabaseClient, type ServerSession } from '../database/connections/database-client.ts';
import { endSessions } from '../database/connections/end-sessions.ts';
import { createStatusPool } from '../database/connections/status-pool.ts';
import { delay } from '../process/delay.ts';
import type { Log } from '../process/log.ts';
import { readinessName } from './connected-versions.ts';
import type { DatabasePool } from './connection.ts';

/** Ticks between two heartbeats. */
const HEARTBEAT_TICKS = 2;
/** After this many ticks without an answer to the heartbeat, the server or the route to it is considered lost. */
const SILENT_TICKS = 3;
/** A connection that has received a byte within this many ticks works. */
const QUIET_TICKS = 2;
/** Minimum time between two replacements of all connections because one was read-only. */
const REPLACE_ALL_MS = 5_000;
/** After this many ticks, a connection that is silent while the heartbeat works is ended. Longer than any statement may take. */
const ANSWER_TICKS = 20;
/** The same after the statement has failed: the coordinator of a cluster may still be telling a silent server to cancel it. */
const READY_TICKS = 5;
const POLL_MS = 100;

/** Has no time limit of its own: {@link SILENT_TICKS} is the limit, and counts also when the process stalls. */
const HEARTBEAT = {
  text: 'select extract(epoch from clock_timestamp()) * 1000 as now',
  query_timeout: 3_600_000,
};

/** What was seen of a connection. */
interface Seen {
  bytesRead: number;
  /** Ticks without a byte from the server. */
  quietTicks: number;
  /** Ticks without a byte while a statement runs. */
  waitingTicks: number;
  /** Whether to end the connection as soon as no statement and no transaction runs. */
  isRetired: boolean;
}

export interface ConnectionWatchOptions {
  databaseUrl: string;
  /** The name of the latest migration that this process knows. Its connection for heartbeats shows it. */
  schema: string;
  log: Log;
  /** Receives the database's time, with the times by `performance.now()` at which it was requested and received. */
  onDatabaseTime?: (databaseNow: number, requestedAt: number, receivedAt: number) => void;
  tickMs?: number;
}

/**
 * Ends connections whose server, or the route to it, is lost without notice; TCP would wait about 15 minutes. A heartbeat on a
 * connection that only the readiness probe shares is answered within milliseconds. If it is not, every connection that is silent as well is ended, and
 * pools and listeners open new ones. Time is counted in ticks of this process, so that a stall of this process ends no connection.
 */
export class ConnectionWatch {
  /** Only for the heartbeat and `/readyz`: one connection, which calls cannot occupy. */
  readonly readinessPool: DatabasePool;
  readonly #options: ConnectionWatchOptions;
  readonly #watched = new Map<DatabaseClient, Seen>();
  #timer: NodeJS.Timeout | null = null;
  /** The connection on which a heartbeat is sent. */
  #heartbeat: pg.PoolClient | null = null;
  #pendingHeartbeat: Promise<void> | null = null;
  /** Ticks since the unanswered heartbeat was sent; null if there is none. */
  #unansweredTicks: number | null = null;
  #ticksSinceHeartbeat = HEARTBEAT_TICKS;
  #replacedAllAt = Number.NEGATIVE_INFINITY;
  /** Sessions that the next heartbeat ends, because their server may not know that their connections were ended. */
  #lostSessions: ServerSession[] = [];
  #isClosed = false;
  /** Whether the last heartbeat could not connect or was not answered in time. */
  #isUnreachable = false;

  constructor(options: ConnectionWatchOptions) {
    this.#options = options;
    const { databaseUrl, schema, log } = options;
    this.readinessPool = createStatusPool(
      databaseUrl,
      readinessName(schema),
      log,
      SILENT_TICKS * this.#tickMs,
    );
    this.addPool(this.readinessPool);
  }

  get #tickMs(): number {
    return this.#options.tickMs ?? 1_000;
  }

  /** Watches every connection that the pool opens. */
  addPool(pool: DatabasePool): void {
    pool.on('connect', (client) => this.add(client));
  }

  /** Watches a connection until it ends. */
  add(client: pg.ClientBase): void {
    if (!(client instanceof DatabaseClient)) throw new TypeError('Only a DatabaseClient can be watched.');
    const { bytesRead } = client;
    this.#watched.set(client, { bytesRead, quietTicks: 0, waitingTicks: 0, isRetired: false });
    client.once('end', () => this.#watched.delete(client));
    client.onReadOnly = () => this.#replaceReadOnly();
    this.#start();
  }

  #start(): void {
    if (this.#timer || this.#isClosed) return;
    this.#timer = setInterval(() => this.#tick(), this.#tickMs);
    this.#timer.unref();
    this.#startHeartbeat();
  }

  #tick(): void {
    for (const [client, seen] of this.#watched) {
      observe(client, seen);
      if (seen.isRetired && client.isIdle) client.destroy();
      // Only this connection is silent; the heartbeat may still work.
      if (seen.waitingTicks >= (client.hasFailed ? READY_TICKS : ANSWER_TICKS)) this.#endSilent(client);
    }
    if (this.#unansweredTicks !== null) {
      if (++this.#unansweredTicks >= SILENT_TICKS) this.#endSilentConnections();
    } else if (++this.#ticksSinceHeartbeat >= HEARTBEAT_TICKS && this.#needsHeartbeat())
      this.#startHeartbeat();
  }

  #needsHeartbeat(): boolean {
    return this.#watched.size > 0 || this.#lostSessions.length > 0;
  }

  #startHeartbeat(): void {
    this.#ticksSinceHeartbeat = 0;
    this.#pendingHeartbeat ??= this.#sendHeartbeat().finally(() => {
      this.#pendingHeartbeat = null;
    });
  }

  async #sendHeartbeat(): Promise<void> {
    let isConnected = false;
    try {
      const client = await this.readinessPool.connect();
      this.#heartbeat = client;
      isConnected = true;
      this.#unansweredTicks = 0;
      const requestedAt = performance.now();
      const { rows } = await client.query<{ now: string }>(HEARTBEAT);
      this.#isUnreachable = false;
      this.#options.onDatabaseTime?.(Number(rows[0]!.now), requestedAt, performance.now());
      const lost = this.#lostSessions;
      await endSessions(client, lost);
      this.#lostSessions = this.#lostSessions.filter((session) => !lost.includes(session));
      this.#heartbeat = null;
      client.release();
    } catch {
      // Not logged: every caller that waits for the database logs its own failure. A lost connection does not mean that the
      // database is unreachable: the next heartbeat opens another one.
      if (!isConnected) this.#isUnreachable = true;
      this.#dropHeartbeat();
      // The next tick sends another one: what waits for it waits for the database.
      this.#ticksSinceHeartbeat = HEARTBEAT_TICKS;
    }
    this.#unansweredTicks = null;
  }

  #dropHeartbeat(): void {
    this.#heartbeat?.release(true);
    this.#heartbeat = null;
  }

  #endSilentConnections(): void {
    this.#isUnreachable = true;
    this.#dropHeartbeat();
    const silent = [...this.#watched].filter(([, { quietTicks }]) => quietTicks >= QUIET_TICKS);
    this.#options.log.warn(
      { connections: silent.length },
      'the database does not answer; silent connections are ended',
    );
    for (const [client] of silent) this.#endSilent(client);
  }

  #endSilent(client: DatabaseClient): void {
    if (client.session && !client.isIdle) this.#lostSessions = [...this.#lostSessions, client.session];
    client.destroy();
  }

  /** Ends the idle connections because one led to a read-only server, and the others when they are idle. */
  #replaceReadOnly(): void {
    if (performance.now() < this.#replacedAllAt + REPLACE_ALL_MS) return;
    this.#replacedAllAt = performance.now();
    this.#options.log.warn({}, 'the database is read-only; all connections are replaced');
    for (const [client, seen] of this.#watched) {
      seen.isRetired = true;
      if (client.isIdle) client.destroy();
    }
  }

  /** Whether the last heartbeat could not connect or was not answered in time. */
  get isUnreachable(): boolean {
    return this.#isUnreachable;
  }

  /** Sends a heartbeat, and resolves when the database turns out to be unreachable or the signal aborts. */
  async untilUnreachable(signal: AbortSignal): Promise<void> {
    this.#isUnreachable = false;
    if (this.#unansweredTicks === null) this.#startHeartbeat();
    while (!this.#isUnreachable && !signal.aborted) await delay(POLL_MS, signal);
  }

  /** Destroys every watched connection. Used for connections that did not close in time. */
  destroyAll(): void {
    for (const client of this.#watched.keys()) client.destroy();
  }

  /** Stops the heartbeat, and closes its connection. The others stay open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearInterval(this.#timer);
    // Ends the current heartbeat with its connection. A heartbeat that is still connecting is ended afterwards.
    this.#dropHeartbeat();
    await this.#pendingHeartbeat;
    this.#dropHeartbeat();
    await this.readinessPool.end();
  }
}

function observe(client: DatabaseClient, seen: Seen): void {
  const isQuiet = client.bytesRead === seen.bytesRead;
  seen.bytesRead = client.bytesRead;
  seen.quietTicks = isQuiet ? seen.quietTicks + 1 : 0;
  seen.waitingTicks = isQuiet && client.isBusy ? seen.waitingTicks + 1 : 0;
}
