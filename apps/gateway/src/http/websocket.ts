import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  ApiError,
  type AppRouter,
  addressKey,
  authenticate,
  newId,
  type RequestContext,
  readSessionCookies,
  readTokenRights,
  type Services,
  type SharedCall,
  selectSessionToken,
  systemClock,
  toApiError,
} from '@firmdesk/domain';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { sharedCallOf } from './call.ts';
import type { AddressOf } from './client-address.ts';
import { endConnection } from './connections.ts';
import { isSameOrigin, MAX_BATCH } from './trpc.ts';

/** A socket that has not authenticated after this time is closed. */
export const AUTH_DEADLINE_MS = 5_000;
export const MAX_FRAME_BYTES = 131_072;
/** The maximum number of open sockets of one token, per process. */
const SOCKETS_PER_TOKEN = 1_000;
/** A client with more unread bytes than this is disconnected. It can resume its streams. */
const MAX_UNREAD_BYTES = 1_048_576;
/** The interval at which the tokens of open sockets are checked. */
const SWEEP_MS = 500;
const CLOSE_GRACE_MS = 2_000;

/** The close codes (RFC 6455 §7.4). Those from 4000 are ours, derived from the HTTP statuses. */
const closeCodes = {
  unauthenticated: 4401,
  authTimeout: 4408,
  tooMany: 4429,
  restart: 1012,
  unavailable: 1013,
};

export interface Sockets {
  count(): number;
  /** Asks clients to reconnect, then closes the remaining sockets. */
  close(): Promise<void>;
}

export interface WebsocketOptions {
  addressOf: AddressOf;
  /** The maximum number of unauthenticated sockets per address. */
  socketsPerAddress: number;
  socketsPerToken?: number;
  authDeadlineMs?: number;
}

/** An authenticated client: its token, and the token's rights when the socket opened. */
interface Peer {
  tokenId: string;
  rights: string | undefined;
}

/**
 * Serves typed RPC over websocket at `/trpc`. The token is `connectionParams.token`, never in the URL, or the console's cookie
 * for the workspace, from a page of our own origin; `connectionParams.workspace` names the firm. A socket is closed when its token
 * ends, and when the token's rights change: the client reconnects with the new ones.
 */
export function serveWebsocket(
  server: Server,
  services: Services,
  router: AppRouter,
  {
    addressOf,
    socketsPerAddress,
    socketsPerToken = SOCKETS_PER_TOKEN,
    authDeadlineMs = AUTH_DEADLINE_MS,
  }: WebsocketOptions,
): Sockets {
  const wss = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  /** The address of each socket that has not authenticated yet. */
  const unauthenticated = new KeyedCounter<WebSocket>();
  const tokens = new KeyedCounter<WebSocket>();
  const peers = new Map<WebSocket, Peer>();
  let isClosing = false;

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const address = addressKey(addressOf(req));
    const hasRoom = unauthenticated.count(address) < socketsPerAddress;
    const rejection = isClosing ? '503 Service Unavailable' : rejectionOf(req, hasRoom);
    if (rejection) {
      // A socket that is not read does not notice that the client closes it.
      socket.resume();
      const response = `HTTP/1.1 ${rejection}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
      return endConnection(socket, response);
    }
    wss.handleUpgrade(req, socket, head, (ws) => {
      unauthenticated.add(ws, address);
      const deadline = setTimeout(() => {
        if (!peers.has(ws)) ws.close(closeCodes.authTimeout, 'authentication timeout');
      }, authDeadlineMs);
      ws.once('close', () => {
        clearTimeout(deadline);
        peers.delete(ws);
        unauthenticated.delete(ws);
        tokens.delete(ws);
      });
      limitUnreadBytes(ws);
      wss.emit('connection', ws, req);
    });
  });

  const handler = applyWSSHandler<AppRouter>({
    wss,
    router,
    maxBatchSize: MAX_BATCH,
    keepAlive: { enabled: true, pingMs: 30_000, pongWaitMs: 5_000 },
    async createContext({ req, res: ws, info }): Promise<RequestContext> {
      const call = socketCall(req, addressOf(req), info.connectionParams, services);
      try {
        const { tokenId } = await authenticate(services, call.bearer, services.clock.now());
        const rightsByToken = await readTokenRights(services, [tokenId]);
        if (tokens.count(tokenId) >= socketsPerToken) throw new ApiError('rate_limited');
        if (ws.readyState === ws.OPEN) {
          unauthenticated.delete(ws);
          tokens.add(ws, tokenId);
          peers.set(ws, { tokenId, rights: rightsByToken.get(tokenId) });
        }
      } catch (thrown) {
        const error = toApiError(thrown);
        if (error.status >= 500)
          services.log.error({ request_id: call.requestId, err: error.cause }, 'socket rejected');
        ws.close(closeCodeOf(error), error.apiCode);
        throw error;
      }
      return { services, call };
    },
  });

  let isSweeping = false;
  const sweep = async () => {
    if (isSweeping || peers.size === 0) return;
    isSweeping = true;
    try {
      await closeChangedPeers(services, peers);
    } catch (error) {
      // The next sweep tries again, and each call checks its token itself.
      if (!isClosing) services.log.warn({ err: error }, 'the tokens of open sockets could not be checked');
    } finally {
      isSweeping = false;
    }
  };
  const sweeper = setInterval(sweep, SWEEP_MS);

  return {
    count: () => wss.clients.size,
    async close() {
      isClosing = true;
      clearInterval(sweeper);
      handler.broadcastReconnectNotification();
      await Promise.all([...wss.clients].map((ws) => closeSocket(ws)));
      wss.close();
    },
  };
}

/** Counts items by key; each item is counted once. */
class KeyedCounter<Item> {
  readonly #keys = new Map<Item, string>();
  readonly #counts = new Map<string, number>();

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(item: Item, key: string): void {
    this.#keys.set(item, key);
    this.#counts.set(key, this.count(key) + 1);
  }

  delete(item: Item): void {
    const key = this.#keys.get(item);
    if (key === undefined) return;
    this.#keys.delete(item);
    const left = this.count(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

/** Returns the status with which an upgrade is rejected; null if it is accepted. */
function rejectionOf(req: IncomingMessage, hasRoom: boolean): string | null {
  const url = req.url ?? '/';
  if (!URL.canParse(url, `http://${req.headers.host ?? 'localhost'}`)) return '400 Bad Request';
  if (url.split('?')[0] !== '/trpc') return '404 Not Found';
  if (req.headers.origin !== undefined && !isSameOrigin(req)) return '403 Forbidden';
  return hasRoom ? null : '429 Too Many Requests';
}

/** Disconnects a client that does not read. tRPC's adapter sends without backpressure, so unread bytes would accumulate. */
function limitUnreadBytes(ws: WebSocket): void {
  const send = ws.send.bind(ws) as (...args: unknown[]) => void;
  ws.send = (...args: unknown[]) => {
    if (ws.bufferedAmount > MAX_UNREAD_BYTES) ws.terminate();
    else send(...args);
  };
}

function socketCall(
  req: IncomingMessage,
  ip: string,
  params: Record<string, string | undefined> | null,
  { secureCookies }: Services,
): SharedCall {
  const requestId = newId('request', systemClock.now());
  const workspaces = params?.['workspace'] ? [params['workspace']] : [];
  const bearer =
    params?.['token'] ??
    (isSameOrigin(req)
      ? selectSessionToken(readSessionCookies(req.headers.cookie, secureCookies), workspaces)
      : null);
  return {
    ...sharedCallOf(req, { requestId, transport: 'ws', ip }),
    bearer,
    workspaces,
    // An idempotency key belongs to one call, and a socket carries many: mutations that need a key go over HTTP.
    idempotencyKey: null,
  };
}

function closeCodeOf(error: ApiError): number {
  if (error.status === 401) return closeCodes.unauthenticated;
  return error.status === 429 ? closeCodes.tooMany : closeCodes.unavailable;
}

/** Closes the sockets whose token has ended or whose rights have changed. */
async function closeChangedPeers(services: Services, peers: Map<WebSocket, Peer>): Promise<void> {
  const asked = [...peers];
  const now = await readTokenRights(services, [...new Set(asked.map(([, { tokenId }]) => tokenId))]);
  for (const [ws, { tokenId, rights }] of asked) {
    const current = now.get(tokenId);
    if (current === undefined) ws.close(closeCodes.unauthenticated, 'the token has ended');
    else if (current !== rights) ws.close(closeCodes.restart, 'the rights of the token have changed');
  }
}

async function closeSocket(ws: WebSocket): Promise<void> {
  const closed = new Promise<void>((resolve) => ws.once('close', () => resolve()));
  ws.close(closeCodes.restart, 'the server restarts');
  const timer = setTimeout(() => ws.terminate(), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}
