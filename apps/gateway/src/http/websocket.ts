import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type AppRouter,
  type Call,
  newId,
  newReply,
  readSessionCookie,
  type Services,
  systemClock,
} from '@firmdesk/domain';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { isSameOrigin, MAX_BATCH } from './trpc.ts';

/** A socket that has not said who it is by then is closed. */
const AUTH_DEADLINE_MS = 5_000;
const MAX_FRAME_BYTES = 131_072;
export const MAX_SOCKETS_PER_ADDRESS = 100;

export interface Sockets {
  count(): number;
  /** Asks clients to move, then closes what is left. */
  close(): Promise<void>;
}

/**
 * Typed RPC over websocket at `/trpc`. The token comes as `connectionParams.token`, never in the URL, or as the console's
 * cookie from a page of our own origin; the staff name the firm in `connectionParams.workspace` (design §5, fixed).
 */
export function serveWebsocket(server: Server, services: Services, router: AppRouter): Sockets {
  const wss = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  const perAddress = new Map<string, number>();

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const address = req.socket.remoteAddress ?? '';
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    if (pathname !== '/trpc') return refuse(socket, '404 Not Found');
    if (req.headers.origin !== undefined && !isSameOrigin(req)) return refuse(socket, '403 Forbidden');
    if ((perAddress.get(address) ?? 0) >= MAX_SOCKETS_PER_ADDRESS)
      return refuse(socket, '429 Too Many Requests');
    wss.handleUpgrade(req, socket, head, (ws) => {
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
      ws.once('close', () => {
        const left = (perAddress.get(address) ?? 1) - 1;
        if (left > 0) perAddress.set(address, left);
        else perAddress.delete(address);
      });
      const deadline = setTimeout(() => ws.close(4401, 'no authentication in time'), AUTH_DEADLINE_MS);
      ws.once('close', () => clearTimeout(deadline));
      ws.once('message', () => clearTimeout(deadline));
      wss.emit('connection', ws, req);
    });
  });

  const handler = applyWSSHandler<AppRouter>({
    wss,
    router,
    maxBatchSize: MAX_BATCH,
    keepAlive: { enabled: true, pingMs: 30_000, pongWaitMs: 5_000 },
    createContext: ({ req, info }) => ({ services, call: socketCall(req, info.connectionParams) }),
  });

  return {
    count: () => wss.clients.size,
    async close() {
      handler.broadcastReconnectNotification();
      const closed = [...wss.clients].map((ws) => closeSocket(ws));
      await Promise.all(closed);
      wss.close();
    },
  };
}

function socketCall(req: IncomingMessage, params: Record<string, string | undefined> | null): Call {
  return {
    requestId: newId('request', systemClock.now()),
    transport: 'ws',
    target: null,
    bearer: params?.['token'] ?? (isSameOrigin(req) ? readSessionCookie(req.headers.cookie) : null),
    workspaces: params?.['workspace'] ? [params['workspace']] : [],
    idempotencyKey: null,
    ifMatch: null,
    ip: req.socket.remoteAddress ?? '',
    reply: newReply(),
    identity: null,
    workspaceSlug: null,
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

const CLOSE_GRACE_MS = 2_000;

async function closeSocket(ws: WebSocket): Promise<void> {
  const closed = new Promise<void>((resolve) => ws.once('close', () => resolve()));
  ws.close(1012, 'the server restarts');
  const timer = setTimeout(() => ws.terminate(), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}
