import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  type AppRouter,
  type Call,
  type RequestContext,
  readSessionCookies,
  type Services,
  sessionFor,
  toApiError,
} from '@firmdesk/domain';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { isJson, type ReadBody } from './body.ts';
import { callOf } from './call.ts';
import { requestInfoOf } from './request-info.ts';
import type { declaredProcedures } from './routes.ts';
import { headersOf, refuseMethod, sendError } from './send.ts';

/** Calls in one batch, at most. */
export const MAX_BATCH = 20;

const METHODS = ['GET', 'POST'];

/** Typed RPC over HTTP at `/trpc`: the same procedures with the same checks. Subscriptions come over websocket alone. */
export function trpcHandler(
  services: Services,
  router: AppRouter,
  procedures: ReturnType<typeof declaredProcedures>,
  readBody: ReadBody,
) {
  const specs = new Map(procedures.map(({ name, spec }) => [name, spec]));
  const handle = createHTTPHandler({
    router,
    basePath: '/trpc/',
    maxBatchSize: MAX_BATCH,
    createContext: ({ req }) => ({ services, ...inputsOf.get(req), call: requestInfoOf(req).call! }),
    responseMeta({ ctx, errors }) {
      const headers = new Headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
      const [error] = errors;
      const all = { ...ctx?.call.reply.headers, ...(error && headersOf(toApiError(error))) };
      for (const [name, value] of Object.entries(all)) headers.set(name, value);
      return { headers };
    },
  });
  return function handleTrpc(req: IncomingMessage, res: ServerResponse, path: string, query: string): void {
    const info = requestInfoOf(req);
    const names = path.slice('/trpc/'.length).replaceAll('%2C', ',').split(',');
    info.route = templateOf(names, (name) => specs.has(name));
    if (!isDecodable(path) || names.some((name) => specs.get(name)?.kind === 'subscription')) {
      sendError(req, res, new ApiError('resource_not_found'), info.requestId);
      return;
    }
    if (!METHODS.includes(req.method!)) {
      refuseMethod(req, res, METHODS, info.requestId);
      return;
    }
    info.call = rpcCall(req, services);
    if (req.method === 'POST') {
      const called = names.flatMap((name) => specs.get(name) ?? []);
      const largest = called.toSorted((a, b) => b.bodyLimit - a.bodyLimit)[0];
      const isBatch = new URLSearchParams(query).get('batch') === '1';
      if (largest)
        inputsOf.set(req, { readInput: inputReader(router, () => readBody(req, res, largest), isBatch) });
      if (!isJson(req)) {
        // tRPC would refuse it before it asks who calls.
        info.call.unreadable = new ApiError('unsupported_media_type');
        req.headers['content-type'] = 'application/json';
      }
      // tRPC would read the body before it asks who calls, and parse it on the event loop; it takes this as the body.
      Object.assign(req, { body: '' });
    }
    handle(req, res);
  };
}

type ReadInput = NonNullable<RequestContext['readInput']>;

const inputsOf = new WeakMap<IncomingMessage, { readInput: ReadInput }>();

/** Reads the body once for all calls of a batch, whose inputs are its members by number. */
function inputReader(
  router: AppRouter,
  read: () => Promise<Record<string, unknown>>,
  isBatch: boolean,
): ReadInput {
  const { deserialize } = router._def._config.transformer.input;
  let body: Promise<Record<string, unknown>> | undefined;
  return async (batchIndex) => {
    body ??= read();
    const inputs = await body;
    const input = isBatch ? inputs[batchIndex] : inputs;
    if (typeof input !== 'object' || input === null) return undefined;
    try {
      return deserialize(input);
    } catch (cause) {
      throw new ApiError('validation_failed', { cause });
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

/** A call over RPC: a bearer token, or the console's cookie of the workspace it names, from a page of the same origin. */
function rpcCall(req: IncomingMessage, { secureCookies }: Services): Call {
  const { requestId, ip } = requestInfoOf(req);
  const call = callOf(req, { requestId, transport: 'rpc', target: null, ip });
  if (req.headers.authorization === undefined && isSameOrigin(req)) {
    call.sessions = readSessionCookies(req.headers.cookie, secureCookies);
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
