import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  ApiError,
  type AppRouter,
  appRouter,
  awaitAll,
  type Log,
  type Services,
  toApiError,
} from '@firmdesk/domain';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { DEFAULT_SOCKETS_PER_ADDRESS } from './config.ts';
import { attachmentHandler, isUploading } from './http/attachments.ts';
import { avatarHandler } from './http/avatars.ts';
import { createBodyReader } from './http/body.ts';
import { type AddressOf, clientAddress, NO_PROXIES, type TrustedProxies } from './http/client-address.ts';
import { compressResponses } from './http/compress.ts';
import { trackConnections } from './http/connections.ts';
import { type ConsoleFiles, consoleHandler } from './http/console.ts';
import { type AllowedOrigins, allowOrigin, NO_ORIGINS } from './http/cors.ts';
import { docsRouter } from './http/docs.ts';
import type { Json } from './http/document-components.ts';
import { type Health, healthRouter } from './http/health.ts';
import { rejectMalformedRequest } from './http/malformed-request.ts';
import { type RequestInfo, registerRequest, requestIdHeaders, requestInfoOf } from './http/request-info.ts';
import { pathAndQuery } from './http/request-target.ts';
import { restHandler } from './http/rest.ts';
import { declaredProcedures, routesOf } from './http/routes.ts';
import { rejectMethod, sendError, sendJson } from './http/send.ts';
import { transportSecurity } from './http/transport-security.ts';
import { trpcHandler } from './http/trpc.ts';
import { type Sockets, serveWebsocket } from './http/websocket.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { runningTime } from './running-time.ts';

const NO_DEADLINE = new AbortController().signal;

export interface AppOptions {
  services: Services;
  log: Log;
  metrics: boolean;
  /** Whether the server also serves health and metrics (true). Otherwise `App.health` is for a server of its own. */
  servesHealth?: boolean;
  /** By default none: the address of the connection is the client's. */
  trustedProxies?: TrustedProxies;
  socketsPerAddress?: number;
  /** By default none: only pages of the gateway's own origin may call it. */
  corsOrigins?: AllowedOrigins;
  /** The console, served at `/`; null redirects `/` to the documentation. */
  console?: ConsoleFiles | null;
  /** How long a drain still accepts calls, with `Connection: close` in each response; by default 0. */
  acceptWhileDrainingMs?: number;
  /** The procedures to serve. */
  router?: AppRouter;
}

export interface App {
  server: Server;
  health: Health;
  /**
   * Asks clients to reconnect, then stops accepting connections. Closes sockets, and waits for calls in progress. Destroys
   * all connections at the deadline.
   */
  drain(deadline?: AbortSignal): Promise<void>;
}

/** Creates the HTTP server with all its handlers. It does not listen yet. */
export function createApp({
  services,
  log,
  metrics: hasMetrics,
  servesHealth = true,
  trustedProxies = NO_PROXIES,
  socketsPerAddress = DEFAULT_SOCKETS_PER_ADDRESS,
  corsOrigins = NO_ORIGINS,
  console: consoleFiles = null,
  acceptWhileDrainingMs = 0,
  router = appRouter,
}: AppOptions): App {
  let sockets: Sockets | null = null;
  let isDraining = false;
  const metrics = hasMetrics ? createMetrics(services, () => sockets?.count() ?? 0) : null;
  const addressOf = clientAddress(trustedProxies, log);
  const procedures = declaredProcedures(router);
  const readBody = createBodyReader();
  const handleRest = restHandler(services, routesOf(router), readBody);
  const handleTrpc = trpcHandler(services, router, procedures, readBody);

  let document: Promise<Json> | null = null;
  /** Generates the document when it is first needed. Few processes need it, and its modules are a fifteenth of all. */
  const readDocument = () =>
    (document ??= import('./http/document.ts').then(({ openApiDocument }) =>
      openApiDocument(router, services.publicUrl()),
    ));
  let documentText: string | null = null;

  async function sendDocument(req: IncomingMessage, res: ServerResponse): Promise<void> {
    documentText ??= JSON.stringify(await readDocument());
    sendJson(req, res, 200, {}, documentText, { conditional: true });
  }

  const publicUrl = () => services.publicUrl();
  const observe = observer({ log, metrics, addressOf, isDraining: () => isDraining, publicUrl });

  /** Serves procedures, and passes every other request to Express, whose routing costs as much as a small call. */
  function handleRequest(req: IncomingMessage, res: ServerResponse): void {
    const info = observe(req, res);
    req.url = pathAndQuery(req.url!);
    const [path, query] = splitUrl(req.url);
    const isApi = ['/v1/', '/trpc/', '/attachments/'].some((prefix) => path.startsWith(prefix));
    if (isApi && allowOrigin(corsOrigins, req, res)) {
      info.route = 'preflight';
    } else if (path === '/v1/openapi.json') {
      info.route = path;
      if (req.method === 'GET' || req.method === 'HEAD') {
        sendDocument(req, res).catch((error: unknown) => fail(error, req, res));
      } else rejectMethod(req, res, ['GET', 'HEAD'], info.requestId);
    } else if (path.startsWith('/v1/')) {
      handleRest(req, res, path, query).catch((error: unknown) => fail(error, req, res));
    } else {
      // For `/v1`, `sendJson` writes these headers with all others in one call, which is several times as fast.
      res.setHeaders(new Map(Object.entries(requestIdHeaders(req))));
      if (path.startsWith('/trpc/')) handleTrpc(req, res, path, query);
      else if (path.startsWith('/')) expressApp(req, res);
      // Express would answer another form of target, such as `*`, in HTML.
      else sendError(req, res, new ApiError('resource_not_found'), info.requestId);
    }
  }

  function fail(error: unknown, req: IncomingMessage, res: ServerResponse): void {
    const { requestId } = requestInfoOf(req);
    const status = (error as { status?: number }).status;
    // Express rejects a path that cannot be decoded. The client gets 404, as for any unknown path.
    const api = status && status < 500 ? new ApiError('resource_not_found') : toApiError(error);
    if (api.status >= 500) log.error({ request_id: requestId, err: error }, 'request failed');
    if (res.headersSent) res.destroy();
    else sendError(req, res, api, requestId);
  }

  const expressApp = express();
  expressApp.disable('x-powered-by');
  expressApp.set('etag', false);
  const health: Health = { services, log, metrics, isDraining: () => isDraining };
  if (servesHealth) expressApp.use(healthRouter(health));
  expressApp.use(
    '/docs',
    compressResponses,
    docsRouter({ procedures: router, document: readDocument, publicUrl }),
  );
  expressApp.all('/avatars/:hash', avatarHandler(services));
  expressApp.all('/attachments/:firm/:id', attachmentHandler(services));
  if (consoleFiles) expressApp.use(consoleHandler(consoleFiles, publicUrl));
  else expressApp.get('/', (_req, res) => res.redirect(302, '/docs/'));
  expressApp.use(((req, res) =>
    sendError(
      req,
      res,
      new ApiError('resource_not_found'),
      requestInfoOf(req).requestId,
    )) satisfies RequestHandler);
  expressApp.use(((error, req, res, _next) => fail(error, req, res)) satisfies ErrorRequestHandler);

  // Clients that offer h2c (curl --http2, Java's client) get plain HTTP/1.1.
  const isWebsocket = (req: IncomingMessage) => req.headers.upgrade?.toLowerCase() === 'websocket';
  const server = createServer({ shouldUpgradeCallback: isWebsocket }, handleRequest);
  const connections = trackConnections(server);
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 70_000;
  server.requestTimeout = 60_000;
  server.on('clientError', (error, socket) => {
    // A file has a time limit of its own.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUploading(socket as Socket)) return;
    // If a response has begun, the client would read the error as a part of it.
    const isResponding = [...connections.responses].some((res) => res.socket === socket && res.headersSent);
    if (isResponding) socket.destroy();
    else rejectMalformedRequest(error, socket as Socket, transportSecurity(publicUrl()));
  });
  sockets = serveWebsocket(server, services, router, { addressOf, metrics, socketsPerAddress, corsOrigins });

  return {
    server,
    health,
    async drain(deadline = NO_DEADLINE) {
      isDraining = true;
      for (const res of connections.responses) if (!res.headersSent) res.setHeader('Connection', 'close');
      const socketsClosed = sockets?.close();
      // `awaitAll` below throws the rejection.
      socketsClosed?.catch(() => {});
      // Closing an idle connection would lose a call that the client is just sending. So serve calls a little longer, with
      // `Connection: close`. A proxy that opens a connection for each call may have none at this moment, so this always waits.
      await runningTime(acceptWhileDrainingMs, deadline);
      await awaitAll([socketsClosed, connections.close(deadline)]);
    },
  };
}

interface Observed {
  log: Log;
  metrics: Metrics | null;
  addressOf: AddressOf;
  isDraining: () => boolean;
  publicUrl: () => string;
}

/** Returns a function that gives a request its id, and logs and measures it when its response ends. Logs no secret and no body. */
function observer({ log, metrics, addressOf, isDraining, publicUrl }: Observed) {
  return function observe(req: IncomingMessage, res: ServerResponse): RequestInfo {
    const started = performance.now();
    const info = registerRequest(req, addressOf(req));
    if (isDraining()) res.setHeader('Connection', 'close');
    res.setHeaders(new Map(Object.entries(transportSecurity(publicUrl()))));
    res.once('close', () => {
      const milliseconds = performance.now() - started;
      // Express sets the route of the requests that it serves.
      const { route: matched } = req as { route?: { path: unknown } };
      const route = info.route ?? (matched ? String(matched.path) : 'unknown');
      metrics?.request({ method: req.method!, route, status: res.statusCode }, milliseconds / 1000);
      if (info.ignoredParameters > 0) metrics?.ignoredParameters(route);
      log.info(
        {
          request_id: info.requestId,
          client_request_id: info.clientRequestId ?? undefined,
          ...info.call?.span,
          token: info.call?.identity?.tokenId,
          workspace: info.call?.workspaceSlug ?? info.call?.identity?.home.slug,
          method: req.method,
          route,
          status: res.statusCode,
          // Their number and not their names, which are a part of the body.
          ignored_parameters: info.ignoredParameters || undefined,
          ms: Math.round(milliseconds * 10) / 10,
          aborted: res.writableFinished ? undefined : true,
        },
        'request',
      );
    });
    return info;
  };
}

function splitUrl(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}
