import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type AppRouter, appRouter, awaitAll, type Log, type Services } from '@firmdesk/domain';
import { DEFAULT_SOCKETS_PER_ADDRESS } from './config.ts';
import { clientAddress, NO_PROXIES, type TrustedProxies } from './http/client-address.ts';
import { trackConnections } from './http/connections.ts';
import type { ConsoleFiles } from './http/console.ts';
import { type AllowedOrigins, NO_ORIGINS } from './http/cors.ts';
import { isUploading } from './http/files/attachments.ts';
import type { Health } from './http/health.ts';
import { createHttpApp } from './http/http-app.ts';
import { rejectMalformedRequest } from './http/malformed-request.ts';
import { pathAndQuery } from './http/request-target.ts';
import { type Sockets, serveWebsocket } from './http/sockets/websocket.ts';
import { transportSecurity } from './http/transport-security.ts';
import { runningTime } from './process/running-time.ts';
import { createMetrics } from './telemetry/metrics.ts';

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

/** Creates the server of HTTP and of websockets. It does not listen yet. */
export function createApp({
  services,
  log,
  metrics: hasMetrics,
  servesHealth = true,
  trustedProxies = NO_PROXIES,
  socketsPerAddress = DEFAULT_SOCKETS_PER_ADDRESS,
  corsOrigins = NO_ORIGINS,
  console = null,
  acceptWhileDrainingMs = 0,
  router = appRouter,
}: AppOptions): App {
  let sockets: Sockets | null = null;
  let isDraining = false;
  const metrics = hasMetrics ? createMetrics(services, () => sockets?.count() ?? 0) : null;
  const addressOf = clientAddress(trustedProxies, log);
  const health: Health = { services, log, metrics, isDraining: () => isDraining };
  const httpApp = createHttpApp({
    services,
    log,
    metrics,
    addressOf,
    isDraining: () => isDraining,
    corsOrigins,
    router,
    health: servesHealth ? health : null,
    console,
  });

  // Clients that offer h2c (curl --http2, Java's client) get plain HTTP/1.1.
  const isWebsocket = (req: IncomingMessage) => req.headers.upgrade?.toLowerCase() === 'websocket';
  const server = createServer({ shouldUpgradeCallback: isWebsocket }, (req, res) => {
    // Express reads a target before any of its middleware runs, and answers one that it cannot read in HTML.
    req.url = pathAndQuery(req.url!);
    httpApp(req, res);
  });
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
    else rejectMalformedRequest(error, socket as Socket, transportSecurity(services.publicUrl()));
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
