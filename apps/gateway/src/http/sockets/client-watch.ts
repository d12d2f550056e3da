import type { SocketConnection } from './socket-connection.ts';

/** A watched client that was silent for this time is pinged. */
const SILENT_MS = 3_000;
/** The interval at which watched clients are checked. */
const CHECK_MS = 1_000;
/**
 * A client that has left a ping unanswered at so many checks does not answer: after 8 to 9 seconds of silence. Checks are counted
 * instead of time, because an answer may wait behind an event loop that was busy.
 */
const MAX_UNANSWERED = 5;

type Listener = (answers: boolean) => void;

interface Watched {
  listeners: Set<Listener>;
  /** The checks since the ping. */
  unanswered: number;
}

/**
 * Finds clients that stop answering sooner than the keep-alive of all sockets does: those whose absence other people should see.
 * Without any of them there is no timer and no ping.
 */
export class ClientWatch {
  readonly #watched = new Map<SocketConnection, Watched>();
  #timer: NodeJS.Timeout | null = null;

  /** Calls the listener when the client stops answering, and when it answers again, until the returned function is called. */
  watch(connection: SocketConnection, listener: Listener): () => void {
    const watched = this.#watched.get(connection) ?? { listeners: new Set(), unanswered: 0 };
    this.#watched.set(connection, watched);
    watched.listeners.add(listener);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size > 0 || this.#watched.get(connection) !== watched) return;
      this.#watched.delete(connection);
      if (this.#watched.size > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #check(): void {
    const now = performance.now();
    for (const [connection, watched] of this.#watched) {
      const answered = watched.unanswered < MAX_UNANSWERED;
      watched.unanswered = connection.isPinged ? watched.unanswered + 1 : 0;
      connection.pingAfter(now, SILENT_MS);
      const answers = watched.unanswered < MAX_UNANSWERED;
      if (answers !== answered) for (const listener of watched.listeners) listener(answers);
    }
  }
}
