import type { PushEnvironment } from '@firmdesk/contract';
import apn from 'apn';
import type { Log } from '../platform/log.ts';

/** A provider's key (an ES256 private key in PEM), and what it is known by. */
export interface ApnsCredentials {
  key: string;
  keyId: string;
  teamId: string;
  /** In place of the public authorities, in PEM. */
  ca?: string | null;
}

/** An answer as it came; `status` is null when none did. */
export interface ApnsAnswer {
  status: number | null;
  reason: string;
  retryAfterMs: number | null;
  /** With 410: since when the device's token has been invalid. */
  since: Date | null;
}

/** Tries in a row that nobody answered, after which the connection is given up. */
const SILENT_LIMIT = 3;
/** What is under way on a connection given up, or at the end, may take so long. */
const CLOSING_MS = 2_000;

interface Headers {
  status: number | null;
  retryAfter: string | null;
}

/** The part of the library's client that this adds to: it reads `Retry-After` by a name that HTTP/2 never has. */
interface LibraryClient {
  request(session: Session, ...rest: unknown[]): Promise<unknown>;
}
interface Session {
  request(headers: Record<string, unknown>): NodeJS.EventEmitter;
}

/**
 * One connection to one environment. The library opens it, authenticates, and opens another after GOAWAY or an error. It
 * never retries here: that is the outbox's business. A connection that is silent is replaced as a whole.
 */
export class ApnsConnection {
  readonly #url: URL;
  readonly #environment: PushEnvironment;
  readonly #options: ApnsCredentials & { requestTimeoutMs?: number; log: Log };
  readonly #headers = new Map<string, Headers>();
  #provider: apn.Provider | null = null;
  /** The first answer of the connection. */
  #first: Promise<unknown> | null = null;
  #silent = 0;
  #closing: Promise<void>[] = [];

  constructor(
    url: string,
    environment: PushEnvironment,
    options: ApnsCredentials & { requestTimeoutMs?: number; log: Log },
  ) {
    this.#url = new URL(url);
    this.#environment = environment;
    this.#options = options;
  }

  async send(notification: apn.Notification, deviceToken: string): Promise<ApnsAnswer> {
    if (this.#provider) {
      // Until it has answered once, the server admits a single request.
      await this.#first;
      this.#provider ??= this.#open();
      return this.#send(this.#provider, notification, deviceToken);
    }
    this.#provider = this.#open();
    const answer = this.#send(this.#provider, notification, deviceToken);
    this.#first = answer;
    return answer;
  }

  async #send(
    provider: apn.Provider,
    notification: apn.Notification,
    deviceToken: string,
  ): Promise<ApnsAnswer> {
    const { failed } = await provider.send(notification, deviceToken);
    const headers = this.#headers.get(notification.id) ?? null;
    this.#headers.delete(notification.id);
    const failure = failed[0];
    const status = failure ? (failure.status ?? headers?.status ?? null) : 200;
    this.#noteSilence(provider, status === null || Number.isNaN(Number(status)));
    return {
      status: typeof status === 'number' ? status : null,
      reason: wordOf(failure?.response?.reason) ?? failure?.error?.message ?? 'no_answer',
      retryAfterMs: pauseOf(headers?.retryAfter ?? null),
      since: momentOf(failure?.response?.timestamp),
    };
  }

  async close(): Promise<void> {
    if (this.#provider) this.#giveUp(this.#provider);
    this.#provider = null;
    await Promise.all(this.#closing);
  }

  #open(): apn.Provider {
    const { key, keyId, teamId, ca, requestTimeoutMs } = this.#options;
    const provider = new apn.Provider({
      token: { key, keyId, teamId },
      // Never by NODE_ENV.
      production: this.#environment === 'production',
      address: this.#url.hostname,
      port: Number(this.#url.port || 443),
      connectionRetryLimit: 0,
      ...(ca && { ca: [ca] }),
      ...(requestTimeoutMs !== undefined && { requestTimeout: requestTimeoutMs }),
    });
    this.#observe(provider);
    return provider;
  }

  #observe(provider: apn.Provider): void {
    const { client } = provider as unknown as { client: LibraryClient };
    const request = client.request.bind(client);
    client.request = (session, ...rest) =>
      request(
        {
          request: (sent) => {
            const stream = session.request(sent);
            stream.once('response', (received: Record<string, unknown>) => {
              this.#headers.set(String(sent['apns-id']), {
                status: Number(received[':status']),
                retryAfter: received['retry-after'] === undefined ? null : String(received['retry-after']),
              });
            });
            return stream;
          },
        },
        ...rest,
      );
  }

  /** A half-open connection answers nothing until TCP gives up: it is replaced, and closed beside the new one. */
  #noteSilence(provider: apn.Provider, isSilent: boolean): void {
    if (provider !== this.#provider) return;
    this.#silent = isSilent ? this.#silent + 1 : 0;
    if (this.#silent < SILENT_LIMIT) return;
    this.#silent = 0;
    this.#provider = null;
    this.#options.log.warn({ environment: this.#environment }, 'push connection is silent: replaced');
    this.#giveUp(provider);
  }

  #giveUp(provider: apn.Provider): void {
    const closed = new Promise<void>((resolve) => {
      const late = setTimeout(resolve, CLOSING_MS).unref();
      void provider.shutdown(() => {
        clearTimeout(late);
        resolve();
      });
    });
    this.#closing.push(closed);
    void closed.then(() => {
      this.#closing = this.#closing.filter((one) => one !== closed);
    });
  }
}

/** A reason is one word; what is none is not repeated, in a log least of all: it may name the device. */
function wordOf(reason: string | undefined): string | undefined {
  return reason === undefined || /^[A-Za-z]{1,64}$/.test(reason) ? reason : 'no_word';
}

/** `Retry-After` in seconds, or as a date (RFC 9110 §10.2.3). */
function pauseOf(text: string | null): number | null {
  if (text === null) return null;
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : null;
}

function momentOf(timestamp: string | number | undefined): Date | null {
  const moment = new Date(Number(timestamp));
  return timestamp === undefined || Number.isNaN(moment.getTime()) ? null : moment;
}
