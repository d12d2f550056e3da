import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a client may take to send the rest of a request, or to read an answer and close the connection. */
const LINGER_MS = 2_000;
const CHECK_MS = 100;

/** Sends the last answer of a connection, and destroys the connection if the client keeps it open. */
export function endConnection(socket: Duplex, answer: string): void {
  socket.end(answer);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** The connections of a server, including upgraded ones. */
export interface Connections {
  /** The answers in progress. */
  readonly answers: ReadonlySet<ServerResponse>;
  /**
   * Stops accepting connections and resolves when the last one is closed. Calls in progress are answered. A connection that
   * waits for its client (to send a request or to read an answer) is destroyed after {@link LINGER_MS}, an idle one
   * immediately, and every connection at the deadline.
   */
  close(deadline: AbortSignal): Promise<void>;
}

export function trackConnections(server: HttpServer): Connections {
  const open = new Set<Socket>();
  const answers = new Set<ServerResponse>();
  /** The bytes that a connection had received when its last answer ended. */
  const answered = new WeakMap<Socket, number>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    answers.add(res);
    res.once('close', () => {
      answers.delete(res);
      answered.set(socket, socket.bytesRead);
    });
  });

  return {
    answers,
    async close(deadline) {
      // HTTP's own `close` also destroys connections whose client still reads the last answer.
      const closed = new Promise<void>(
        (resolve) => void NetServer.prototype.close.call(server, () => resolve()),
      );
      const waitingSince = new WeakMap<Socket, number>();
      const closeWaiting = () => {
        const now = performance.now();
        const answering = new Set([...answers].map(({ req }) => req.socket));
        const busy = new Set([...answers].filter(isInProgress).map(({ req }) => req.socket));
        for (const socket of open) {
          const isIdle = !answering.has(socket) && answered.get(socket) === socket.bytesRead;
          const since = busy.has(socket) ? now : (waitingSince.get(socket) ?? now);
          waitingSince.set(socket, since);
          if (deadline.aborted || isIdle || now - since >= LINGER_MS) socket.destroy();
        }
      };
      closeWaiting();
      const checking = setInterval(closeWaiting, CHECK_MS);
      deadline.addEventListener('abort', closeWaiting, { once: true });
      await closed;
      clearInterval(checking);
      deadline.removeEventListener('abort', closeWaiting);
    },
  };
}

/** Returns whether the request has arrived completely and its answer has not begun. */
function isInProgress({ req, headersSent }: ServerResponse): boolean {
  return req.complete && !headersSent;
}
