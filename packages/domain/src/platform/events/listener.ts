import pg from 'pg';
import { connectionOptions } from '../connection.ts';
import type { ConnectionWatch } from '../connection-watch.ts';
import type { Log } from '../log.ts';

/** The channel of all notifications. Its payloads: `log` after an append to the event log, and those of signals. */
export const CHANNEL = 'firmdesk';

/** Returns the payload of a signal. */
export const payloadOf = (kind: string, id: string) => `${kind}:${id}`;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A network can drop one idle connection without notice, which the watch over all connections does not detect. */
const HEARTBEAT_MS = 5_000;
const ANSWER_MS = 5_000;

interface ListenerOptions {
  databaseUrl: string;
  connections: ConnectionWatch;
  log: Log;
  onMessage: (payload: string) => void;
  /** Called when it starts to listen, and after each reconnection: messages may have been missed. */
  onListening: () => void;
}

/** The listening connection of this process. Reconnects when it is lost. */
export class Listener {
  readonly #options: ListenerOptions;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #started = false;
  #closed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** Null before the first use. */
  get isListening(): boolean | null {
    return this.#started ? this.#client !== null : null;
  }

  start(): void {
    if (this.#started || this.#closed) return;
    this.#started = true;
    void this.#connect();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      ...connectionOptions({ name: 'listener' }),
      query_timeout: ANSWER_MS,
    });
    let lost = false;
    const lose = (error?: Error) => {
      if (lost) return;
      lost = true;
      this.#lose(client, error);
    };
    client.on('error', lose);
    client.on('end', () => lose());
    client.on('notification', ({ payload }) => this.#options.onMessage(payload ?? ''));
    try {
      await client.connect();
      this.#options.connections.add(client);
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      return lose(error as Error);
    }
    if (this.#closed) return void client.end().catch(() => {});
    this.#client = client;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#options.onListening();
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
    client.end().catch(() => {});
    if (this.#closed) return;
    this.#options.log.warn({ err: error }, 'the listening connection was lost');
    this.#timer = setTimeout(() => void this.#connect(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }
}
