import type pg from 'pg';
import { createClient } from '../../connections/connection.ts';
import type { ConnectionWatch } from '../../connections/connection-watch.ts';
import { delay } from '../../process/delay.ts';
import type { Log } from '../../process/log.ts';

/** The PostgreSQL channel of all signals. */
const CHANNEL = 'firmdesk';
/** Minimum time between two statements that send signals. Signals in between are joined. */
const SEND_INTERVAL_MS = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A network can drop one idle connection without notice, which the watch over all connections does not detect. */
const HEARTBEAT_MS = 5_000;
const ANSWER_MS = 5_000;

/** PostgreSQL commits a transaction with a notification like one that writes. It need not flush its log for it: a signal may be lost. */
const settings = { synchronous_commit: 'off' };

interface SignalConnectionOptions {
  databaseUrl: string;
  connections: ConnectionWatch;
  log: Log;
  onSignal: (kind: string, id: string) => void;
  /** Called when it starts to listen, and after each reconnection: signals may have been missed. */
  onListening: () => void;
}

/** The connection on which this process sends and receives signals, outside of any transaction. Reconnects when it is lost. */
export class SignalConnection {
  readonly #options: SignalConnectionOptions;
  #client: pg.Client | null = null;
  #session = 0;
  #opening: Promise<void> | null = null;
  #wasLost = false;
  #timer: NodeJS.Timeout | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #isClosed = false;
  /** The signals to send, each once. */
  readonly #unsent = new Set<string>();
  #sending: Promise<void> | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(options: SignalConnectionOptions) {
    this.#options = options;
  }

  /** Null until the first attempt to connect has ended. */
  get isListening(): boolean | null {
    if (this.#client) return true;
    return this.#wasLost ? false : null;
  }

  /** How many times it has connected. */
  get session(): number {
    return this.#session;
  }

  start(): void {
    if (!this.#isClosed) this.#opening ??= this.#connect();
  }

  send(kind: string, id: string): void {
    if (this.#isClosed) return;
    this.#unsent.add(`${kind}:${id}`);
    this.start();
    this.#startSending();
  }

  #startSending(): void {
    if (this.#unsent.size === 0 || !this.#client) return;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
      this.#startSending();
    });
  }

  async #sendAll(): Promise<void> {
    const pauseMs = this.#sentAt + SEND_INTERVAL_MS - performance.now();
    await delay(this.#isClosed ? 0 : Math.max(pauseMs, 0));
    const signals = [...this.#unsent];
    this.#unsent.clear();
    this.#sentAt = performance.now();
    // If this fails the signals are lost, and the next sweep of their receivers finds what they announced.
    await this.#client
      ?.query({
        name: 'send-signals',
        text: `select pg_notify('${CHANNEL}', signal) from unnest($1::text[]) as signal`,
        values: [signals],
      })
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'signals could not be sent'));
  }

  async #connect(): Promise<void> {
    const { databaseUrl } = this.#options;
    const client = createClient(databaseUrl, { name: 'signals', settings }, { query_timeout: ANSWER_MS });
    let isLost = false;
    const lose = (error?: Error) => {
      if (isLost) return;
      isLost = true;
      this.#lose(client, error);
    };
    client.on('error', lose);
    client.on('end', () => lose());
    client.on('notification', ({ payload = '' }) => {
      const [kind = ''] = payload.split(':', 1);
      this.#options.onSignal(kind, payload.slice(kind.length + 1));
    });
    try {
      await client.connect();
      this.#options.connections.add(client);
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      return lose(error as Error);
    }
    this.#client = client;
    this.#session++;
    this.#pauseMs = FIRST_PAUSE_MS;
    if (this.#isClosed) return;
    this.#options.onListening();
    this.#startSending();
    this.#scheduleHeartbeat(client, lose);
  }

  /** Sends a query at intervals. If one is not answered, the connection is ended. */
  #scheduleHeartbeat(client: pg.Client, lose: (error: Error) => void): void {
    this.#timer = setTimeout(() => {
      client
        .query('select 1')
        .then(() => this.#client === client && this.#scheduleHeartbeat(client, lose), lose);
    }, HEARTBEAT_MS);
  }

  #lose(client: pg.Client, error: Error | undefined): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#client = null;
    this.#wasLost = true;
    client.end().catch(() => {});
    if (this.#isClosed) return;
    this.#options.log.warn({ err: error }, 'the connection for signals was lost');
    this.#timer = setTimeout(() => {
      this.#opening = this.#connect();
    }, this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Sends the signals that wait, unless the connection is lost, and closes it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#opening;
    this.#startSending();
    while (this.#sending) await this.#sending;
    await this.#client?.end().catch(() => {});
  }
}
