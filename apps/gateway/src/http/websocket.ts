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
  sessionFor,
  systemClock,
  toApiError,
} from '@firmdesk/domain';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { sharedCallOf } from './call.ts';
import type { AddressOf } from './client-address.ts';
import { endConnection } from './connections.ts';
import { isSameOrigin, MAX_BATCH } from './trpc.ts';

/** A socket that has not said who it is by then is closed. */
export const AUTH_DEADLINE_MS = 5_000;
export const MAX_FRAME_BYTES = 131_072;
/** Open sockets of one token at this node. */
const SOCKETS_PER_TOKEN = 1_000;
/** A client that leaves more than this unread is cut off; it can resume. */
const MAX_UNREAD_BYTES = 1_048_576;
/** How often open sockets are asked whether their token still holds. */
const SWEEP_MS = 500;
const CLOSE_GRACE_MS = 2_000;

/** Why a socket is closed (RFC 6455 §7.4; those from 4000 on are ours, after the HTTP statuses). */
const closeCodes = { unauthenticated: 4401, late: 4408, tooMany: 4429, restart: 1012, unavailable: 1013 };

export interface Sockets {
  count(): number;
  /** Asks clients to move, then closes what is left. */
  close(): Promise<void>;
}

export interface WebsocketOptions {
  addressOf: AddressOf;
  /** Sockets of one address that have not authenticated yet. */
  socketsPerAddress: number;
  socketsPerToken?: number;
  authDeadlineMs?: number;
}

/** Who is at the other end, once that is known: the token, and what it could do when the socket opened. */
interface Peer {
  tokenId: string;
  rights: string | undefined;
}

/**
 * Typed RPC over websocket at `/trpc`. The token comes as `connectionParams.token`, never in the URL, or as the console's
 * cookie of that workspace from a page of our own origin; the firm is named in `connectionParams.workspace`.
 * A socket is closed when its token ends, and also when what the token may do changes: the client comes back with that.
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
  const unauthenticated = new Tally<WebSocket>();
  const tokens = new Tally<WebSocket>();
  const peers = new Map<WebSocket, Peer>();
  let isClosing = false;

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const address = addressKey(addressOf(req));
    const hasRoom = unauthenticated.count(address) < socketsPerAddress;
    const refusal = isClosing ? '503 Service Unavailable' : refusalOf(req, hasRoom);
    if (refusal) {
      // Nobody else reads it, and unread it would not notice that the client hangs up.
      socket.resume();
      const answer = `HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
      return endConnection(socket, answer);
    }
    wss.handleUpgrade(req, socket, head, (ws) => {
      unauthenticated.add(ws, address);
      const deadline = setTimeout(() => {
        if (!peers.has(ws)) ws.close(closeCodes.late, 'no authentication in time');
      }, authDeadlineMs);
      ws.once('close', () => {
        clearTimeout(deadline);
        peers.delete(ws);
        unauthenticated.delete(ws);
        tokens.delete(ws);
      });
      boundUnread(ws);
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
          services.log.error({ request_id: call.requestId, err: error.cause }, 'socket refused');
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
      await closeChanged(services, peers);
    } catch (error) {
      // What cannot be asked now is asked again soon; each call asks for itself anyway.
      if (!isClosing) services.log.warn({ err: error }, 'open sockets could not be checked');
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
class Tally<Item> {
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

/** The status that an upgrade is refused with; null lets it in. */
function refusalOf(req: IncomingMessage, hasRoom: boolean): string | null {
  const url = req.url ?? '/';
  if (!URL.canParse(url, `http://${req.headers.host ?? 'localhost'}`)) return '400 Bad Request';
  if (url.split('?')[0] !== '/trpc') return '404 Not Found';
  if (req.headers.origin !== undefined && !isSameOrigin(req)) return '403 Forbidden';
  return hasRoom ? null : '429 Too Many Requests';
}

/** tRPC's adapter sends whether or not anyone reads. */
function boundUnread(ws: WebSocket): void {
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
      ? sessionFor(readSessionCookies(req.headers.cookie, secureCookies), workspaces)
      : null);
  return {
    ...sharedCallOf(req, { requestId, transport: 'ws', ip }),
    bearer,
    workspaces,
    // A key is for one call, and a socket carries many: what needs one goes over HTTP.
    idempotencyKey: null,
  };
}

function closeCodeOf(error: ApiError): number {
  if (error.status === 401) return closeCodes.unauthenticated;
  return error.status === 429 ? closeCodes.tooMany : closeCodes.unavailable;
}

async function closeChanged(services: Services, peers: Map<WebSocket, Peer>): Promise<void> {
  const asked = [...peers];
  const now = await readTokenRights(services, [...new Set(asked.map(([, { tokenId }]) => tokenId))]);
  for (const [ws, { tokenId, rights }] of asked) {
    const current = now.get(tokenId);
    if (current === undefined) ws.close(closeCodes.unauthenticated, 'the token has ended');
    else if (current !== rights) ws.close(closeCodes.restart, 'what the token may do has changed');
  }
}

async function closeSocket(ws: WebSocket): Promise<void> {
  const closed = new Promise<void>((resolve) => ws.once('close', () => resolve()));
  ws.close(closeCodes.restart, 'the server restarts');
  const timer = setTimeout(() => ws.terminate(), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}
