import { createWSClient, type TRPCWebSocketClient } from '@trpc/client';
import { jittered } from './backoff.ts';
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
/** After a connection of this duration, the count of attempts starts again. */
const HELD_MS = 10_000;
/** Heartbeat of a silent socket. It also keeps proxies from closing it. */
const KEEP_ALIVE = { enabled: true, intervalMs: 10_000, pongTimeoutMs: 5_000 };
/** An unused socket is closed after this time. */
const IDLE_MS = 5_000;
/** The service's close code for a token that is invalid or has ended. */
const TOKEN_DEAD = 4401;

/** Called when the session ends: with an error, or with null if the client was closed. */
export type OnEnd = (error: FirmdeskError | null) => void;

/**
 * The session's socket. It opens with the first subscription, sends heartbeats, and reconnects with full jitter when it is
 * lost. tRPC's client moves the subscriptions to the new socket, each after its last event. The backoff waits where tRPC asks
 * for the URL, because only there it can be cut short.
 */
export class SessionSocket {
  readonly #options: SocketOptions;
  readonly #credentials: Credentials;
  readonly #store = new ConnectionStore();
  readonly #followers = new Set<OnEnd>();
  /** The open sockets that are served: two during a handover between servers. */
  readonly #served = new Set<WebSocket>();
  /** The token of each socket. */
  readonly #tokens = new WeakMap<WebSocket, { token: string | null }>();
  #client: TRPCWebSocketClient | null = null;
  #token: string | null = null;
  /** The refused token, until there is another. */
  #refused: { token: string | null } | null = null;
  /** Attempts since the last stable connection. */
  #tries = 0;
  #ended: { error: FirmdeskError | null } | null = null;
  #endPause: (() => void) | null = null;

  constructor(options: SocketOptions, credentials: Credentials) {
    this.#options = options;
    this.#credentials = credentials;
    onOnline('addEventListener', this.#tryNow);
  }

  get connection(): Connection {
    return this.#store;
  }

  /** Adds a user of the socket, until the returned function is called. Calls `onEnd` when the session ends. */
  hold(onEnd: OnEnd): () => void {
    if (this.#ended) onEnd(this.#ended.error);
    else this.#followers.add(onEnd);
    return () => this.#followers.delete(onEnd);
  }

  /** tRPC's client. */
  client(): TRPCWebSocketClient {
    this.#client ??= this.#create();
    return this.#client;
  }

  async close(): Promise<void> {
    await this.#end(null);
  }

  #create(): TRPCWebSocketClient {
    const Socket = this.#options.WebSocket ?? (globalThis.WebSocket as SocketClass | undefined);
    if (!Socket) {
      const message = 'There is no WebSocket here: pass that of the package `ws`.';
      throw new FirmdeskError('unexpected', { message });
    }
    return createWSClient({
      url: () => this.#beforeOpening(),
      connectionParams: () => this.#connectionParams(),
      WebSocket: watchedSocketClass(Socket, {
        opening: (socket) => this.#tokens.set(socket, { token: this.#token }),
        served: (socket) => {
          this.#served.add(socket);
          this.#store.show('open');
        },
        closed: (socket, code, heldMs) => this.#closed(socket, code, heldMs),
      }),
      retryDelayMs: () => 0,
      lazy: { enabled: true, closeMs: IDLE_MS },
      keepAlive: KEEP_ALIVE,
    });
  }

  /** Waits for the backoff and gets a token before it connects: the server then waits only briefly for authentication. */
  async #beforeOpening(): Promise<string> {
    const delay = this.#tries === 0 ? 0 : jittered(this.#tries - 1, RECONNECT_MS.base, RECONNECT_MS.cap);
    this.#tries++;
    if (delay > 0) await this.#pause(delay);
    this.#ensureLive();
    this.#showUnlessServed('connecting');
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

  #closed(socket: WebSocket, code: number, heldMs: number): void {
    this.#served.delete(socket);
    if (this.#served.size > 0 || this.#ended) return;
    if (heldMs >= HELD_MS) this.#tries = 1;
    if (code === TOKEN_DEAD) {
      if (typeof this.#options.token !== 'function') return void this.#signOut(signedOut());
      this.#refused = this.#tokens.get(socket) ?? null;
    }
    if (this.#followers.size > 0) return;
    this.#tries = 0;
    this.#store.show('idle');
  }

  #pause(milliseconds: number): Promise<void> {
    this.#showUnlessServed('waiting', Date.now() + milliseconds);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  readonly #tryNow = (): void => this.#endPause?.();

  #showUnlessServed(status: 'connecting' | 'waiting', retryAt: number | null = null): void {
    if (this.#served.size === 0 && !this.#ended) this.#store.show(status, retryAt);
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
    onOnline('removeEventListener', this.#tryNow);
    this.#store.show(error ? 'signed_out' : 'idle');
    const followers = [...this.#followers];
    this.#followers.clear();
    for (const onEnd of followers) onEnd(error);
    const closed = this.#client?.close();
    this.#tryNow();
    await closed;
  }
}

/** Calls back when a browser is online again. Elsewhere there is no such event. */
function onOnline(change: 'addEventListener' | 'removeEventListener', listener: () => void): void {
  (globalThis as Partial<EventTarget>)[change]?.('online', listener);
}
