import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  ApiError,
  type AppRouter,
  addressKey,
  authenticate,
  declaredProcedures,
  newId,
  type RequestContext,
  readSessionCookies,
  type Services,
  type SharedCall,
  selectSessionToken,
  systemClock,
  toApiError,
  type WatchClient,
} from '@firmdesk/domain';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Metrics } from '../../telemetry/metrics.ts';
import { isSameOrigin, sharedCallOf } from '../calls/call.ts';
import type { AddressOf } from '../client-address.ts';
import { endConnection } from '../connections.ts';
import { type AllowedOrigins, NO_ORIGINS } from '../cors.ts';
import { idHeaders } from '../malformed-request.ts';
import { pathAndQuery, repeatsHost } from '../request-target.ts';
import { transportSecurity } from '../transport-security.ts';
import { ClientWatch } from './client-watch.ts';
import { closeCodes } from './close-codes.ts';
import { EventMessages } from './event-messages.ts';
import { type ConnectionParams, SocketConnection } from './socket-connection.ts';
import { LOOK_MS, TokenWatch } from './token-watch.ts';

/** A socket that has not sent its token after this time is closed. */
export const AUTH_DEADLINE_MS = 5_000;
export const MAX_FRAME_BYTES = 131_072;
/** The maximum number of open sockets of one token, per process. */
const SOCKETS_PER_TOKEN = 1_000;
const CLOSE_GRACE_MS = 2_000;
/**
 * A client that was silent for this time is pinged, and disconnected if it does not answer. Proxies commonly close connections
 * after 60 seconds without data. Pings are half of the work for silent sockets.
 */
const KEEP_ALIVE = { silentMs: 45_000, answerMs: 5_000 };
/** The interval at which silent clients are looked for. */
const KEEP_ALIVE_CHECK_MS = 2_500;

export interface Sockets {
  count(): number;
  /** Asks clients to reconnect, then closes the remaining sockets. */
  close(): Promise<void>;
}

export interface WebsocketOptions {
  addressOf: AddressOf;
  metrics?: Pick<Metrics, 'socketRefused' | 'socketCall'> | null;
  /** The maximum number of unauthenticated sockets per address. */
  socketsPerAddress: number;
  /** The other origins whose pages may open sockets, with a token and not with a cookie. */
  corsOrigins?: AllowedOrigins;
  socketsPerToken?: number;
  authDeadlineMs?: number;
  keepAlive?: typeof KEEP_ALIVE & { checkMs: number };
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
    metrics = null,
    socketsPerAddress,
    corsOrigins = NO_ORIGINS,
    socketsPerToken = SOCKETS_PER_TOKEN,
    authDeadlineMs = AUTH_DEADLINE_MS,
    keepAlive = { ...KEEP_ALIVE, checkMs: KEEP_ALIVE_CHECK_MS },
  }: WebsocketOptions,
): Sockets {
  const wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  const securityHeaders = () =>
    Object.entries(transportSecurity(services.publicUrl())).map(([name, value]) => `${name}: ${value}`);
  wss.on('headers', (headers) => headers.push(...securityHeaders()));
  const messages = new EventMessages(router);
  const procedures = new Set(declaredProcedures(router).map(({ name }) => name));
  const connections = new Map<WebSocket, SocketConnection>();
  /** The address of each socket that has not authenticated yet. */
  const unauthenticated = new KeyedCounter<WebSocket>();
  const clients = new ClientWatch();
  const tokens = new TokenWatch<WebSocket>(services);
  let isClosing = false;

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', destroySocket);
    const address = addressKey(addressOf(req));
    const hasRoom = unauthenticated.count(address) < socketsPerAddress;
    const rejection = isClosing ? rejections.draining : rejectionOf(req, hasRoom, corsOrigins);
    if (rejection) {
      const requestId = newId('request', systemClock.now());
      refuse(rejection.reason, { request_id: requestId, status: rejection.status, address });
      // A socket that is not read does not notice that the client closes it.
      socket.resume();
      return endConnection(socket, responseOf(rejection, [...idHeaders(requestId), ...securityHeaders()]));
    }
    wss.handleUpgrade(req, socket, head, (ws) =>
      open(ws, address, authenticator(ws, req), expectsParams(req)),
    );
  });

  function refuse(reason: string, fields: object): void {
    metrics?.socketRefused(reason);
    services.log.warn({ reason, ...fields }, 'websocket refused');
  }

  const onCall = (procedure: string, code: string) =>
    metrics?.socketCall(procedures.has(procedure) ? procedure : 'unknown', code);

  /** No function in here may refer to the request: its headers would stay in memory as long as the socket. */
  function open(
    ws: WebSocket,
    address: string,
    authenticate: (params: ConnectionParams) => Promise<RequestContext | null>,
    expectsParams: boolean,
  ): void {
    unauthenticated.add(ws, address);
    const connection = new SocketConnection(
      ws,
      { router, messages, log: services.log, onCall },
      authenticate,
      expectsParams,
    );
    connections.set(ws, connection);
    const deadline = setTimeout(() => {
      // A message that has arrived while the event loop was busy is read first.
      setImmediate(() => {
        if (connection.hasCredentials) return;
        refuse('authentication_timeout', { address });
        ws.close(closeCodes.authTimeout, 'authentication timeout');
      });
    }, authDeadlineMs);
    ws.once('close', () => {
      clearTimeout(deadline);
      connections.delete(ws);
      unauthenticated.delete(ws);
      tokens.delete(ws);
    });
  }

  /** Not a function of the upgrade either, for the same reason. */
  const watcherOf =
    (ws: WebSocket): WatchClient =>
    (listener) => {
      const connection = connections.get(ws);
      return connection ? clients.watch(connection, listener) : () => {};
    };

  function authenticator(ws: WebSocket, req: IncomingMessage) {
    return async (params: ConnectionParams): Promise<RequestContext | null> => {
      const call = { ...socketCall(req, addressOf(req), params, services), watchClient: watcherOf(ws) };
      try {
        const { tokenId } = await authenticate(services, call.bearer, services.clock.now());
        if (tokens.count(tokenId) >= socketsPerToken)
          throw new ApiError('rate_limited', { limit: 'sockets_per_token' });
        if (ws.readyState !== ws.OPEN) return null;
        if (!(await tokens.add(ws, tokenId))) throw new ApiError('revoked_token');
        unauthenticated.delete(ws);
        return { services, call };
      } catch (thrown) {
        const error = toApiError(thrown);
        if (error.status >= 500)
          services.log.error({ request_id: call.requestId, err: error.cause }, 'socket rejected');
        refuse(error.limit ?? error.apiCode, { request_id: call.requestId, address: addressKey(call.ip) });
        ws.close(closeCodeOf(error), error.apiCode);
        return null;
      }
    };
  }

  const lookTimer = setInterval(() => void tokens.look(), LOOK_MS);
  const keepAliveTimer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections.values()) connection.checkAlive(now, keepAlive);
  }, keepAlive.checkMs);

  return {
    count: () => connections.size,
    async close() {
      isClosing = true;
      clearInterval(keepAliveTimer);
      clearInterval(lookTimer);
      for (const connection of connections.values()) connection.askToReconnect();
      await Promise.all([...connections.keys()].map((ws) => closeSocket(ws)));
      wss.close();
    },
  };
}

/** The error listener of all sockets. A function in the upgrade's scope would keep the request in memory. */
function destroySocket(this: Duplex): void {
  this.destroy();
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

interface Rejection {
  status: number;
  /** As logs and metrics name it. */
  reason: string;
  retryAfterSeconds?: number;
}

const rejections = {
  draining: { status: 503, reason: 'draining', retryAfterSeconds: 1 },
  host: { status: 400, reason: 'repeated_host' },
  malformed: { status: 400, reason: 'malformed_url' },
  path: { status: 404, reason: 'unknown_path' },
  origin: { status: 403, reason: 'foreign_origin' },
  // A socket counts until it has authenticated, or until this time.
  address: { status: 429, reason: 'sockets_per_address', retryAfterSeconds: AUTH_DEADLINE_MS / 1_000 },
} as const satisfies Record<string, Rejection>;

/** Returns why an upgrade is rejected; null if it is accepted. */
function rejectionOf(req: IncomingMessage, hasRoom: boolean, corsOrigins: AllowedOrigins): Rejection | null {
  const url = req.url ?? '/';
  if (repeatsHost(req)) return rejections.host;
  if (!URL.canParse(url, `http://${req.headers.host ?? 'localhost'}`)) return rejections.malformed;
  if (pathAndQuery(url).split('?')[0] !== '/trpc') return rejections.path;
  const { origin } = req.headers;
  if (origin !== undefined && !isSameOrigin(req) && !corsOrigins.has(origin)) return rejections.origin;
  return hasRoom ? null : rejections.address;
}

/** Returns the response to a rejected upgrade. */
function responseOf({ status, retryAfterSeconds }: Rejection, headers: readonly string[]): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Length: 0',
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Returns whether the first message of the socket contains its `connectionParams`. */
function expectsParams(req: IncomingMessage): boolean {
  return new URLSearchParams(req.url!.split('?')[1]).get('connectionParams') === '1';
}

function socketCall(
  req: IncomingMessage,
  ip: string,
  params: ConnectionParams,
  { secureCookies }: Services,
): SharedCall {
  const requestId = newId('request', systemClock.now());
  const workspace = textOf(params?.['workspace']);
  const workspaces = workspace ? [workspace] : [];
  const shared = sharedCallOf(req, { requestId, transport: 'ws', ip });
  const token = textOf(params?.['token']);
  if (token === undefined && isSameOrigin(req))
    shared.sessions = readSessionCookies(req.headers.cookie, secureCookies);
  return {
    ...shared,
    // Each call of a socket has a trace of its own.
    traceparent: null,
    bearer: token ?? selectSessionToken(shared.sessions, workspaces),
    workspaces,
    // An idempotency key belongs to one call, and a socket carries many: mutations that need a key go over HTTP.
    idempotencyKey: null,
  };
}

function closeCodeOf(error: ApiError): number {
  if (error.status === 401) return closeCodes.unauthenticated;
  return error.status === 429 ? closeCodes.tooMany : closeCodes.unavailable;
}

function textOf(param: unknown): string | undefined {
  return typeof param === 'string' ? param : undefined;
}

async function closeSocket(ws: WebSocket): Promise<void> {
  const closed = new Promise<void>((resolve) => ws.once('close', () => resolve()));
  ws.close(closeCodes.restart, 'the server restarts');
  const timer = setTimeout(() => ws.terminate(), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}
