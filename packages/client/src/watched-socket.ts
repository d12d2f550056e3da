/** A `WebSocket` class: the global one or that of the package `ws`. */
export type SocketClass = new (
  url: string,
) => { readonly readyState: number; send(data: string): void; close(code?: number, reason?: string): void };

/** The callbacks of {@link watchedSocketClass}. */
export interface SocketWatcher {
  /** Called when a socket is created. */
  onOpening(socket: WebSocket): void;
  /** Called when the service has authenticated the socket. */
  onAccepted(socket: WebSocket): void;
  /** `acceptedMs` is the time since it was authenticated, or 0. */
  onClosed(socket: WebSocket, code: number, acceptedMs: number): void;
}

/** Timeout of the closing handshake. A lost peer does not complete it. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Returns a subclass whose sockets report to the watcher. Closing has a timeout: with a half-open connection, the closing
 * handshake would otherwise last until TCP gives up, and the client would not reconnect.
 */
export function watchedSocketClass(Socket: SocketClass, watcher: SocketWatcher): typeof WebSocket {
  // Both classes have the DOM's interface; the type of `ws` differs in details.
  const Base = Socket as unknown as typeof WebSocket;
  return class WatchedSocket extends Base {
    #acceptedAt: number | null = null;
    #isClosed = false;
    #closeTimer: ReturnType<typeof setTimeout> | undefined;

    constructor(url: string | URL) {
      super(url);
      watcher.onOpening(this);
      this.addEventListener('message', ({ data }) => {
        if (this.#acceptedAt !== null || !isResult(data)) return;
        this.#acceptedAt = performance.now();
        watcher.onAccepted(this);
      });
      this.addEventListener('close', ({ code }) => {
        if (this.#isClosed) return;
        this.#isClosed = true;
        clearTimeout(this.#closeTimer);
        watcher.onClosed(this, code, this.#acceptedAt === null ? 0 : performance.now() - this.#acceptedAt);
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
