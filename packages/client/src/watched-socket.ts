/** A `WebSocket` class: the global one or that of the package `ws`. */
export type SocketClass = new (
  url: string,
) => { readonly readyState: number; send(data: string): void; close(code?: number, reason?: string): void };

export interface SocketWatcher {
  opening(socket: WebSocket): void;
  /** Called when the service begins to serve the socket. */
  served(socket: WebSocket): void;
  closed(socket: WebSocket, code: number, heldMs: number): void;
}

/** Timeout of the closing handshake: a lost peer never answers. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Returns a subclass whose sockets report to the watcher. Closing has a timeout: with a half-open connection, the closing
 * handshake would otherwise last until TCP gives up, and the client would not reconnect.
 */
export function watchedSocketClass(Socket: SocketClass, watcher: SocketWatcher): typeof WebSocket {
  // Both classes have the DOM's interface; the type of `ws` differs in details.
  const Base = Socket as unknown as typeof WebSocket;
  return class WatchedSocket extends Base {
    #servedAt: number | null = null;
    #isClosed = false;
    #closeTimer: ReturnType<typeof setTimeout> | undefined;

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
        clearTimeout(this.#closeTimer);
        watcher.closed(this, code, this.#servedAt === null ? 0 : performance.now() - this.#servedAt);
      });
    }

    override close(code?: number, reason?: string): void {
      super.close(code, reason);
      clearTimeout(this.#closeTimer);
      if (!this.#isClosed) this.#closeTimer = setTimeout(() => this.#abandon(), CLOSE_TIMEOUT_MS);
    }

    #abandon(): void {
      if (this.#isClosed) return;
      if ('terminate' in this && typeof this.terminate === 'function') this.terminate();
      else this.dispatchEvent(Object.assign(new Event('close'), { code: 1006, reason: '', wasClean: false }));
    }
  };
}

/** Returns whether a message is a result, which the service sends only after authentication. */
function isResult(data: unknown): boolean {
  return typeof data === 'string' && data.startsWith('{') && 'result' in JSON.parse(data);
}
