import { createWSClient, type TRPCWebSocketClient } from '@trpc/client';
import { jitteredDelay } from './backoff.ts';
import { type Connection, ConnectionStore } from './connection.ts';
import { type Credentials, signedOut } from './credentials.ts';
import { FirmdeskError, isFirmdeskError } from './errors.ts';
import type { SessionOptions } from './session-fetch.ts';
import { type SocketClass, watchedSocketClass } from './watched-socket.ts';

export interface SocketOptions extends SessionOptions {
  /** The class of the package `ws`, if there is no global `WebSocket` (Node 20). */
  WebSocket?: SocketClass;
}

export const RECONNECT_MS = { base: 1_000, cap: 30_000 };
/** A connection that lasted this long was stable: the next loss starts the backoff again. */
const STABLE_MS = 10_000;
/** Heartbeat of a silent socket. It also keeps proxies from closing it. */
const KEEP_ALIVE = { enabled: true, intervalMs: 10_000, pongTimeoutMs: 5_000 };
/** An unused socket is closed after this time. */
const IDLE_MS = 5_000;
/** The service's close code for a token that is invalid, revoked or expired. */
const INVALID_TOKEN_CLOSE_CODE = 4401;

/** Called when the session ends: with an error, or with null if the client was closed. */
export type OnEnd = (error: FirmdeskError | null) => void;

/**
 * The session's socket. It opens with the first subscription, sends heartbeats, and reconnects with full jitter when it is
 * lost. tRPC's client moves the subscriptions to the new socket, each after its last event. The backoff waits where tRPC asks
 * for the URL, because it can be ended early only there.
 */
export class SessionSocket {
  readonly #options: SocketOptions;
  readonly #credentials: Credentials;
  readonly #store = new ConnectionStore();
  readonly #onEndListeners = new Set<OnEnd>();
  /** The open sockets that the service has authenticated: two during a handover between servers. */
  readonly #accepted = new Set<WebSocket>();
  /** The token of each socket. */
  readonly #tokens = new WeakMap<WebSocket, { token: string | null }>();
  #client: TRPCWebSocketClient | null = null;
  /** The token of the next socket. */
  #token: string | null = null;
  /** The token that the service rejected, until there is another. */
  #refused: { token: string | null } | null = null;
  /** Attempts since the last stable connection. */
  #attempts = 0;
  /** Set when the session has ended. `error` is null if the client was closed. */
  #ended: { error: FirmdeskError | null } | null = null;
  #resolveBackoff: (() => void) | null = null;

  constructor(options: SocketOptions, credentials: Credentials) {
    this.#options = options;
    this.#credentials = credentials;
    changeOnlineListener('addEventListener', this.#endBackoff);
  }

  get connection(): Connection {
    return this.#store;
  }

  /** Counts a subscription as open until the returned function is called. Calls `onEnd` when the session ends. */
  retain(onEnd: OnEnd): () => void {
    if (this.#ended) onEnd(this.#ended.error);
    else this.#onEndListeners.add(onEnd);
    return () => this.#onEndListeners.delete(onEnd);
  }

  /** Returns tRPC's websocket client. It connects with the first subscription. */
  client(): TRPCWebSocketClient {
    this.#client ??= this.#create();
    return this.#client;
  }

  /** Ends all subscriptions and closes the socket. */
  async close(): Promise<void> {
    await this.#end(null);
  }

  #create(): TRPCWebSocketClient {
    const Socket = this.#options.WebSocket ?? (globalThis.WebSocket as SocketClass | undefined);
    if (!Socket) {
      const message =
        'There is no global `WebSocket`. Pass the class of the package `ws` as the option `WebSocket`.';
      throw new FirmdeskError('unexpected', { message });
    }
    return createWSClient({
      url: () => this.#prepareUrl(),
      connectionParams: () => this.#connectionParams(),
      WebSocket: watchedSocketClass(Socket, {
        onOpening: (socket) => this.#tokens.set(socket, { token: this.#token }),
        onAccepted: (socket) => {
          this.#accepted.add(socket);
          this.#store.set('open');
        },
        onClosed: (socket, code, acceptedMs) => this.#closed(socket, code, acceptedMs),
      }),
      retryDelayMs: () => 0,
      lazy: { enabled: true, closeMs: IDLE_MS },
      keepAlive: KEEP_ALIVE,
    });
  }

  /**
   * Waits for the backoff, gets a token and returns the URL. The token comes first, because the server waits only briefly for
   * authentication after the socket opens.
   */
  async #prepareUrl(): Promise<string> {
    const delay =
      this.#attempts === 0 ? 0 : jitteredDelay(this.#attempts - 1, RECONNECT_MS.base, RECONNECT_MS.cap);
    this.#attempts++;
    if (delay > 0) await this.#waitForBackoff(delay);
    this.#ensureLive();
    this.#setUnlessAccepted('connecting');
    try {
      this.#token = this.#refused
        ? await this.#credentials.renew(this.#refused.token)
        : await this.#credentials.token();
      this.#refused = null;
    } catch (error) {
      if (isFirmdeskError(error, 'signed_out')) void this.#signOut(error);
      throw error;
    }
    this.#ensureLive();
    return `${this.#options.url.replace(/^http/, 'ws').replace(/\/$/, '')}/trpc`;
  }

  #connectionParams(): Record<string, string> {
    const { workspace } = this.#options;
    return { ...(this.#token !== null && { token: this.#token }), ...(workspace != null && { workspace }) };
  }

  #closed(socket: WebSocket, code: number, acceptedMs: number): void {
    this.#accepted.delete(socket);
    if (this.#accepted.size > 0 || this.#ended) return;
    if (acceptedMs >= STABLE_MS) this.#attempts = 1;
    if (code === INVALID_TOKEN_CLOSE_CODE) {
      if (typeof this.#options.token !== 'function') return void this.#signOut(signedOut());
      this.#refused = this.#tokens.get(socket) ?? null;
    }
    if (this.#onEndListeners.size > 0) return;
    this.#attempts = 0;
    this.#store.set('idle');
  }

  #waitForBackoff(milliseconds: number): Promise<void> {
    this.#setUnlessAccepted('waiting', Date.now() + milliseconds);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#resolveBackoff = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  readonly #endBackoff = (): void => this.#resolveBackoff?.();

  #setUnlessAccepted(status: 'connecting' | 'waiting', retryAt: number | null = null): void {
    if (this.#accepted.size === 0 && !this.#ended) this.#store.set(status, retryAt);
  }

  #ensureLive(): void {
    if (this.#ended) throw this.#ended.error ?? new Error('The client was closed.');
  }

  async #signOut(error: FirmdeskError): Promise<void> {
    this.#options.onSignedOut?.(error);
    await this.#end(error);
  }

  async #end(error: FirmdeskError | null): Promise<void> {
    if (this.#ended) return;
    this.#ended = { error };
    changeOnlineListener('removeEventListener', this.#endBackoff);
    this.#store.set(error ? 'signed_out' : 'idle');
    const listeners = [...this.#onEndListeners];
    this.#onEndListeners.clear();
    for (const onEnd of listeners) onEnd(error);
    const closed = this.#client?.close();
    this.#endBackoff();
    await closed;
  }
}

/** Adds or removes a listener for the event of a browser that is online again. Other runtimes have no such event. */
function changeOnlineListener(
  change: 'addEventListener' | 'removeEventListener',
  listener: () => void,
): void {
  (globalThis as Partial<EventTarget>)[change]?.('online', listener);
}
