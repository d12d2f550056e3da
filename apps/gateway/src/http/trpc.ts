import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  type AppRouter,
  type Call,
  readSessionCookies,
  type Services,
  sessionFor,
  toApiError,
} from '@firmdesk/domain';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { isJson } from './body.ts';
import { callOf } from './call.ts';
import { exchangeOf } from './exchange.ts';
import type { declaredProcedures } from './routes.ts';
import { headersOf, refuseMethod, sendError } from './send.ts';

/** Calls in one batch, at most. */
export const MAX_BATCH = 20;

const METHODS = ['GET', 'POST'];

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** Typed RPC over HTTP at `/trpc`: the same procedures with the same rules. Subscriptions come over websocket alone. */
export function trpcHandler(
  services: Services,
  router: AppRouter,
  procedures: ReturnType<typeof declaredProcedures>,
) {
  const rules = new Map(procedures.map(({ name, rule }) => [name, rule]));
  const handlers = new Map<number, Handler>();
  for (const { rule } of procedures) {
    if (!handlers.has(rule.bodyLimit)) {
      handlers.set(rule.bodyLimit, handlerOf(services, router, rule.bodyLimit));
    }
  }
  const smallest = Math.min(...handlers.keys());
  return function handleTrpc(req: IncomingMessage, res: ServerResponse, path: string): void {
    const exchange = exchangeOf(req);
    const names = path.slice('/trpc/'.length).replaceAll('%2C', ',').split(',');
    exchange.route = templateOf(names, (name) => rules.has(name));
    if (!isDecodable(path) || names.some((name) => rules.get(name)?.kind === 'subscription')) {
      sendError(req, res, new ApiError('resource_not_found'), exchange.requestId);
    } else if (!METHODS.includes(req.method!)) {
      refuseMethod(req, res, METHODS, exchange.requestId);
    } else {
      const limit = Math.max(...names.map((name) => rules.get(name)?.bodyLimit ?? smallest));
      handlers.get(limit)!(req, res);
    }
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** One label for all batches: which calls come together is the clients' choice, and without bound. */
function templateOf(names: string[], isKnown: (name: string) => boolean): string {
  if (names.length > 1) return '/trpc (batch)';
  return isKnown(names[0]!) ? `/trpc/${names[0]}` : '/trpc (unknown)';
}

function handlerOf(services: Services, router: AppRouter, maxBodySize: number): Handler {
  const handle = createHTTPHandler({
    router,
    basePath: '/trpc/',
    maxBodySize,
    maxBatchSize: MAX_BATCH,
    createContext: ({ req }) => ({ services, call: exchangeOf(req).call! }),
    responseMeta({ ctx, errors }) {
      const headers = new Headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
      const [error] = errors;
      const all = { ...ctx?.call.reply.headers, ...(error && headersOf(toApiError(error))) };
      for (const [name, value] of Object.entries(all)) headers.set(name, value);
      return { headers };
    },
  });
  return (req, res) => {
    const call = rpcCall(req);
    if (req.method === 'POST' && !isJson(req)) {
      // tRPC would refuse it before it asks who calls.
      call.unreadable = new ApiError('unsupported_media_type');
      req.headers['content-type'] = 'application/json';
    }
    exchangeOf(req).call = call;
    handle(req, res);
  };
}

/** A call over RPC: a bearer token, or the console's cookie of the workspace it names, from a page of the same origin. */
function rpcCall(req: IncomingMessage): Call {
  const { requestId, ip } = exchangeOf(req);
  const call = callOf(req, { requestId, transport: 'rpc', target: null, ip });
  if (req.headers.authorization === undefined && isSameOrigin(req)) {
    call.sessions = readSessionCookies(req.headers.cookie);
    call.bearer = sessionFor(call.sessions, call.workspaces);
  }
  return call;
}

/** A cookie counts for a page of our own: browsers state the origin of everything but a plain GET of the same origin. */
export function isSameOrigin(req: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = req.headers;
  if (origin === undefined) {
    return req.method === 'GET' && (site === undefined || site === 'same-origin' || site === 'none');
  }
  return URL.canParse(origin) && new URL(origin).host === host;
}
