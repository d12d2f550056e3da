import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a client that is waited for may send or take no byte: of the rest of a request, of a response, or the end of the connection. */
const LINGER_MS = 3_000;
const CHECK_MS = 100;

/** Sends the last response of a connection, and destroys the connection if the client keeps it open. */
export function endConnection(socket: Duplex, response: string): void {
  socket.end(response);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** The connections of a server, including upgraded ones. */
export interface Connections {
  /** The responses in progress, including those that have not begun. */
  readonly responses: ReadonlySet<ServerResponse>;
  /**
   * Stops accepting connections and resolves when the last one is closed. Calls in progress finish, also those whose request or
   * response is still moving. A connection that waits for its client is destroyed after {@link LINGER_MS}, an idle one immediately,
   * and every connection at the deadline.
   */
  close(deadline: AbortSignal): Promise<void>;
}

/** Starts to track the connections of a server, which must not listen yet. */
export function trackConnections(server: HttpServer): Connections {
  const open = new Set<Socket>();
  const responses = new Set<ServerResponse>();
  /** The number of bytes that a connection had received when its last response ended. */
  const answered = new WeakMap<Socket, number>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    responses.add(res);
    res.once('close', () => {
      responses.delete(res);
      answered.set(socket, socket.bytesRead);
    });
  });

  return {
    responses,
    async close(deadline) {
      // `close` of the HTTP server would also destroy connections whose client still reads the last response.
      const closed = new Promise<void>(
        (resolve) => void NetServer.prototype.close.call(server, () => resolve()),
      );
      const waiting = new WeakMap<Socket, { since: number; transferred: number }>();
      const closeWaiting = () => {
        const now = performance.now();
        const responding = new Set([...responses].map(({ req }) => req.socket));
        const busy = new Set([...responses].filter(isServersTurn).map(({ req }) => req.socket));
        for (const socket of open) {
          const isIdle = !responding.has(socket) && answered.get(socket) === socket.bytesRead;
          const transferred = transferredBytes(socket);
          const before = waiting.get(socket) ?? { since: now, transferred };
          // Without a call, bytes are the head of a request, and a client could send one for ever.
          const isMoving = responding.has(socket) && transferred !== before.transferred;
          const since = busy.has(socket) || isMoving ? now : before.since;
          waiting.set(socket, { since, transferred });
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

/** Returns whether the server has everything that the client has sent for a call, or the client everything that the server has. */
function isServersTurn(res: ServerResponse): boolean {
  if (!res.headersSent) return res.req.complete || res.req.readableLength > 0;
  return !res.writableEnded && res.writableLength === 0;
}

/** Returns how many bytes a connection has received, and has given to the system to send. A chunk counts when the system has all of it. */
function transferredBytes(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength;
}
