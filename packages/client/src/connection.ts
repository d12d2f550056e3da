/**
 * The status of the socket.
 *
 * - `idle`: there is no subscription, and therefore no socket.
 * - `waiting`: the socket was lost; the next attempt is at `retryAt`.
 * - `signed_out`: the session has ended. This state is final: sign in and create new links.
 */
export type ConnectionStatus = 'idle' | 'connecting' | 'open' | 'waiting' | 'signed_out';

export interface ConnectionState {
  readonly status: ConnectionStatus;
  /** The time of the last change, in milliseconds since the epoch. */
  readonly since: number;
  /** The time of the next attempt, in milliseconds since the epoch; null unless `waiting`. */
  readonly retryAt: number | null;
}

/** The state of the socket, for display: `useSyncExternalStore(connection.subscribe, () => connection.state)`. */
export interface Connection {
  readonly state: ConnectionState;
  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** The {@link Connection} of a socket, which sets its state. */
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

  /** Sets the state. Calls the listeners if it changed. */
  set(status: ConnectionStatus, retryAt: number | null = null): void {
    if (status === this.#state.status && retryAt === this.#state.retryAt) return;
    this.#state = { status, since: Date.now(), retryAt };
    for (const listener of [...this.#listeners]) listener();
  }
}
