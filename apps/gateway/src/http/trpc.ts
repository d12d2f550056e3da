import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AppRouter, type Call, readSessionCookie, type Services, toApiError } from '@firmdesk/domain';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { callOf } from './call.ts';
import { exchangeOf } from './exchange.ts';
import type { declaredProcedures } from './routes.ts';
import { headersOf } from './send.ts';

/** Calls in one batch, at most. */
export const MAX_BATCH = 20;

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** Typed RPC over HTTP at `/trpc`: the same procedures with the same rules. */
export function trpcHandler(
  services: Services,
  router: AppRouter,
  procedures: ReturnType<typeof declaredProcedures>,
) {
  const limits = new Map(procedures.map(({ name, rule }) => [name, rule.bodyLimit]));
  const smallest = Math.min(...limits.values());
  const handlers = new Map<number, Handler>();
  for (const limit of new Set(limits.values())) handlers.set(limit, handlerOf(services, router, limit));
  return function handleTrpc(req: IncomingMessage, res: ServerResponse, path: string): void {
    const names = decodeURIComponent(path.slice('/trpc/'.length)).split(',');
    exchangeOf(req).route = `/trpc/${names.filter((name) => limits.has(name)).join(',')}`;
    const limit = Math.max(...names.map((name) => limits.get(name) ?? smallest));
    handlers.get(limit)!(req, res);
  };
}

function handlerOf(services: Services, router: AppRouter, maxBodySize: number): Handler {
  return createHTTPHandler({
    router,
    basePath: '/trpc/',
    maxBodySize,
    maxBatchSize: MAX_BATCH,
    createContext: ({ req }) => ({ services, call: rpcCall(req) }),
    responseMeta({ ctx, errors }) {
      const headers = new Headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
      const [error] = errors;
      const all = { ...ctx?.call.reply.headers, ...(error && headersOf(toApiError(error))) };
      for (const [name, value] of Object.entries(all)) headers.set(name, value);
      return { headers };
    },
  });
}

/** A call over RPC: a bearer token, or the console's cookie where the page is of the same origin. */
function rpcCall(req: IncomingMessage): Call {
  const { requestId, ip } = exchangeOf(req);
  const call = callOf(req, { requestId, transport: 'rpc', target: null, ip });
  if (req.headers.authorization === undefined && isSameOrigin(req)) {
    call.bearer = readSessionCookie(req.headers.cookie);
  }
  exchangeOf(req).call = call;
  return call;
}

/** A cookie counts for a page of our own: browsers state the origin of everything but a plain GET of the same site. */
export function isSameOrigin(req: IncomingMessage): boolean {
  const { origin, host } = req.headers;
  if (origin === undefined) return req.method === 'GET' && req.headers['sec-fetch-site'] !== 'cross-site';
  return URL.canParse(origin) && new URL(origin).host === host;
}
