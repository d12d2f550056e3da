import type { PushEnvironment } from '@firmdesk/contract';
import apn from 'apn';
import type { Log } from '../../platform/process/log.ts';
import { parseRetryAfter } from '../retry-after.ts';

/** A provider's key (an ES256 private key in PEM) and its ids. */
export interface ApnsCredentials {
  key: string;
  keyId: string;
  teamId: string;
  /** A certificate authority in PEM that replaces the public ones. */
  ca?: string | null;
}

/** The provider's response; `status` is null if there was none. */
export interface ApnsResponse {
  status: number | null;
  reason: string;
  retryAfterMs: number | null;
  /** With 410: since when the device token is invalid. */
  since: Date | null;
}

/** After this many consecutive requests without a response, the connection is replaced. */
const MAX_UNANSWERED = 3;
/** How long to wait for the responses to requests in flight when a connection is closed. */
const CLOSE_TIMEOUT_MS = 2_000;

/** The response headers that the library does not return. */
interface ResponseHeaders {
  status: number | null;
  retryAfter: string | null;
}

/** The part of the library's client that {@link ApnsConnection} wraps to read `Retry-After`, which the library ignores over HTTP/2. */
interface LibraryClient {
  request(session: Session, ...rest: unknown[]): Promise<unknown>;
}
interface Session {
  request(headers: Record<string, unknown>): NodeJS.EventEmitter;
}
/**
 * A connection to one environment of Apple's push service. The library opens it, authenticates, and reconnects after GOAWAY or an
 * error. Its retries are off, because the outbox retries. A connection that gets no responses is replaced.
 */
export class ApnsConnection {
  readonly #url: URL;
  readonly #environment: PushEnvironment;
  readonly #options: ApnsCredentials & { requestTimeoutMs?: number; log: Log };
  /** By `apns-id`. */
  readonly #headers = new Map<string, ResponseHeaders>();
  #provider: apn.Provider | null = null;
  /** The response to the connection's first request. */
  #firstResponse: Promise<unknown> | null = null;
  #unanswered = 0;
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

  /** Sends a notification to a device and returns the provider's response. */
  async send(notification: apn.Notification, deviceToken: string): Promise<ApnsResponse> {
    if (this.#provider) {
      // The server accepts one request at a time until its first response.
      await this.#firstResponse;
      this.#provider ??= this.#open();
      return this.#send(this.#provider, notification, deviceToken);
    }
    this.#provider = this.#open();
    const response = this.#send(this.#provider, notification, deviceToken);
    this.#firstResponse = response;
    return response;
  }

  async #send(
    provider: apn.Provider,
    notification: apn.Notification,
    deviceToken: string,
  ): Promise<ApnsResponse> {
    const { failed } = await provider.send(notification, deviceToken);
    const headers = this.#headers.get(notification.id) ?? null;
    this.#headers.delete(notification.id);
    const failure = failed[0];
    const status = failure ? (failure.status ?? headers?.status ?? null) : 200;
    this.#countUnanswered(provider, status === null || Number.isNaN(Number(status)));
    return {
      status: typeof status === 'number' ? status : null,
      reason: reasonOf(failure?.response?.reason) ?? failure?.error?.message ?? 'no_answer',
      retryAfterMs: parseRetryAfter(headers?.retryAfter ?? null),
      since: parseTimestamp(failure?.response?.timestamp),
    };
  }

  async close(): Promise<void> {
    if (this.#provider) this.#closeProvider(this.#provider);
    this.#provider = null;
    await Promise.all(this.#closing);
  }

  #open(): apn.Provider {
    const { key, keyId, teamId, ca, requestTimeoutMs } = this.#options;
    const provider = new apn.Provider({
      token: { key, keyId, teamId },
      // Without it, the library decides by NODE_ENV.
      production: this.#environment === 'production',
      address: this.#url.hostname,
      port: Number(this.#url.port || 443),
      connectionRetryLimit: 0,
      ...(ca && { ca: [ca] }),
      ...(requestTimeoutMs !== undefined && { requestTimeout: requestTimeoutMs }),
    });
    this.#captureHeaders(provider);
    return provider;
  }

  /** Stores the status and `Retry-After` of each response. */
  #captureHeaders(provider: apn.Provider): void {
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

  /**
   * Counts consecutive requests without a response. A half-open connection would only fail when TCP times out, so it is replaced
   * earlier.
   */
  #countUnanswered(provider: apn.Provider, isUnanswered: boolean): void {
    if (provider !== this.#provider) return;
    this.#unanswered = isUnanswered ? this.#unanswered + 1 : 0;
    if (this.#unanswered < MAX_UNANSWERED) return;
    this.#unanswered = 0;
    this.#provider = null;
    this.#options.log.warn({ environment: this.#environment }, 'push connection does not respond: replaced');
    this.#closeProvider(provider);
  }

  #closeProvider(provider: apn.Provider): void {
    const closed = new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, CLOSE_TIMEOUT_MS).unref();
      void provider.shutdown(() => {
        clearTimeout(timeout);
        resolve();
      });
    });
    this.#closing.push(closed);
    void closed.then(() => {
      this.#closing = this.#closing.filter((each) => each !== closed);
    });
  }
}

/** Returns the reason if it is a single word. Other text may contain the device token, which is never logged. */
function reasonOf(reason: string | undefined): string | undefined {
  return reason === undefined || /^[A-Za-z]{1,64}$/.test(reason) ? reason : 'malformed_reason';
}

/** Parses the provider's timestamp, in milliseconds since the epoch. */
function parseTimestamp(timestamp: string | number | undefined): Date | null {
  const moment = new Date(Number(timestamp));
  return timestamp === undefined || Number.isNaN(moment.getTime()) ? null : moment;
}
