/** A `WebSocket` class: the global one, or that of the package `ws`. */
export type SocketClass = new (
  url: string,
) => { readonly readyState: number; send(data: string): void; close(code?: number, reason?: string): void };

export interface SocketWatcher {
  opening(socket: WebSocket): void;
  /** The service has begun to serve it. */
  served(socket: WebSocket): void;
  closed(socket: WebSocket, code: number, heldMs: number): void;
}

/** How long the other end may take to say goodbye: one that is gone never does. */
const GOODBYE_MS = 2_000;

/**
 * The class with its sockets watched. Closing is bounded: where the connection is half open, the closing handshake would
 * be waited for until TCP gives up, and nobody would reconnect.
 */
export function watchedSocketClass(Socket: SocketClass, watcher: SocketWatcher): typeof WebSocket {
  // Both classes speak the DOM's interface; the type of `ws` differs in its details.
  const Base = Socket as unknown as typeof WebSocket;
  return class WatchedSocket extends Base {
    #servedAt: number | null = null;
    #isClosed = false;
    #goodbye: ReturnType<typeof setTimeout> | undefined;

    constructor(url: string | URL) {
      super(url);
      watcher.opening(this);
      this.addEventListener('message', ({ data }) => {
        if (this.#servedAt !== null || !isResult(data)) return;
        this.#servedAt = performance.now();
        watcher.served(this);
      });
      this.addEventListener('close', ({ code }) => {
        if (this.#isClosed) return;
        this.#isClosed = true;
        clearTimeout(this.#goodbye);
        watcher.closed(this, code, this.#servedAt === null ? 0 : performance.now() - this.#servedAt);
      });
    }

    override close(code?: number, reason?: string): void {
      super.close(code, reason);
      clearTimeout(this.#goodbye);
      if (!this.#isClosed) this.#goodbye = setTimeout(() => this.#abandon(), GOODBYE_MS);
    }

    #abandon(): void {
      if (this.#isClosed) return;
      if ('terminate' in this && typeof this.terminate === 'function') this.terminate();
      else this.dispatchEvent(Object.assign(new Event('close'), { code: 1006, reason: '', wasClean: false }));
    }
  };
}

/** The first word of a service that has let the socket in: results come after authentication alone. */
function isResult(data: unknown): boolean {
  return typeof data === 'string' && data.startsWith('{') && 'result' in JSON.parse(data);
}
