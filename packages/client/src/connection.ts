/**
 * - `idle`: nobody follows anything, so there is no socket.
 * - `waiting`: the socket is lost; the next try is at `retryAt`.
 * - `signed_out`: the token is dead. The last state: sign in, and make new links.
 */
export type ConnectionStatus = 'idle' | 'connecting' | 'open' | 'waiting' | 'signed_out';

export interface ConnectionState {
  readonly status: ConnectionStatus;
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
  /** When the next try begins, in milliseconds since the epoch; null unless `waiting`. */
  readonly retryAt: number | null;
}

/** The socket's state, to be shown: `useSyncExternalStore(connection.subscribe, () => connection.state)`. */
export interface Connection {
  readonly state: ConnectionState;
  /** Calls back after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export class ConnectionStore implements Connection {
  #state: ConnectionState = { status: 'idle', since: Date.now(), retryAt: null };
  readonly #listeners = new Set<() => void>();

  get state(): ConnectionState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  show(status: ConnectionStatus, retryAt: number | null = null): void {
    if (status === this.#state.status && retryAt === this.#state.retryAt) return;
    this.#state = { status, since: Date.now(), retryAt };
    for (const listener of [...this.#listeners]) listener();
  }
}
