import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  type AppRouter,
  type Call,
  decodeInput,
  parseJson,
  type RequestContext,
  readSessionCookies,
  type Services,
  type SharedCall,
  selectSessionToken,
  toApiError,
  UnreadableJsonError,
} from '@firmdesk/domain';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { isJson, objectOf, type ParsedBody, type ReadBody } from './body.ts';
import { sharedCallOf } from './call.ts';
import { compressIfLong } from './compress.ts';
import { invalidParameter, isUtf8, NOT_UTF8 } from './query-text.ts';
import { requestInfoOf } from './request-info.ts';
import type { declaredProcedures } from './routes.ts';
import { headersOf, rejectMethod, sendError } from './send.ts';

/** The maximum number of calls in a batch. */
export const MAX_BATCH = 20;

const METHODS = ['GET', 'POST'];

/** Serves typed RPC over HTTP at `/trpc`. Subscriptions are served over websocket only. */
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
    createContext: ({ req }) => ({ services, ...readersOf.get(req), call: requestInfoOf(req).call! }),
    responseMeta({ ctx, errors }) {
      const headers = new Headers({
        'Cache-Control': 'no-store',
        Vary: 'Origin, Accept-Encoding',
        'X-Content-Type-Options': 'nosniff',
      });
      const [error] = errors;
      const all = { ...ctx?.call.reply.headers, ...(error && headersOf(toApiError(error))) };
      for (const [name, value] of Object.entries(all)) headers.set(name, value);
      return { headers };
    },
  });
  return function handleTrpc(req: IncomingMessage, res: ServerResponse, path: string, query: string): void {
    const info = requestInfoOf(req);
    const names = namesIn(path);
    info.route = templateOf(names ?? [''], (name) => specs.has(name));
    if (!names || names.some((name) => specs.get(name)?.kind === 'subscription')) {
      sendError(req, res, new ApiError('resource_not_found'), info.requestId);
      return;
    }
    if (!METHODS.includes(req.method!)) {
      rejectMethod(req, res, METHODS, info.requestId);
      return;
    }
    // tRPC reads the target as a URL: with `%2E`, `x/..`, `#` or a last slash it would call another procedure than was checked here.
    req.url = `/trpc/${names.map(encodeURIComponent).join()}?${query.replaceAll('#', '%23')}`;
    info.call = rpcCall(req, services);
    if (!names.some((name) => specs.get(name)?.hasSecret)) compressIfLong(req, res);
    const isBatch = new URLSearchParams(query).get('batch') === '1';
    if (req.method === 'GET') {
      const read = async () => ({ value: inputsIn(query), digest: null });
      readersOf.set(req, { readInput: inputReader(read, isBatch) });
    } else {
      const called = names.flatMap((name) => specs.get(name) ?? []);
      const largest = called.toSorted((a, b) => b.bodyLimit - a.bodyLimit)[0];
      const isReadable = isJson(req);
      if (largest) {
        const read = async ({ identity }: Call) => {
          if (!isReadable) throw new ApiError('unsupported_media_type');
          return readBody(req, res, largest, identity);
        };
        readersOf.set(req, { readInput: inputReader(read, isBatch) });
      }
      // tRPC would reject another media type before the token is checked.
      req.headers['content-type'] = 'application/json';
      // tRPC would read the body before the token is checked, and parse it on the event loop. It uses `req.body` if that is set.
      Object.assign(req, { body: '' });
    }
    handle(req, res);
  };
}

type ReadInput = NonNullable<RequestContext['readInput']>;

const readersOf = new WeakMap<IncomingMessage, { readInput: ReadInput }>();

/** The input of a call, or those of a batch by index, and the digest of their bytes. */
interface Received {
  value: Record<string, unknown> | undefined;
  digest: ParsedBody['digest'];
}

/** Returns a function that reads the body or query once for all calls of a batch. */
function inputReader(read: (call: Call) => Promise<Received>, isBatch: boolean): ReadInput {
  let received: Promise<Received> | undefined;
  return async (call, batchIndex) => {
    received ??= read(call);
    const { value, digest } = await received;
    // The key of a batch belongs to all of it; its calls differ by their index.
    call.bodyDigest = digest;
    return decodeInput(isBatch ? value?.[batchIndex] : value);
  };
}

/** Returns the inputs of a GET request: the JSON in the parameter `input`; undefined if it is missing. */
function inputsIn(query: string): Record<string, unknown> | undefined {
  const text = new URLSearchParams(query).get('input');
  if (!text) return undefined;
  if (!isUtf8(query)) throw invalidParameter('input', NOT_UTF8);
  try {
    return objectOf(parseJson(Buffer.from(text)));
  } catch (error) {
    throw error instanceof UnreadableJsonError ? invalidParameter('input', error.message) : error;
  }
}

/** Returns the names of the procedures that a path calls; null if the path cannot be decoded. */
function namesIn(path: string): string[] | null {
  try {
    return decodeURIComponent(path.slice('/trpc/'.length)).split(',');
  } catch {
    return null;
  }
}

/** Returns the route's label. All batches have the same one, because the number of combinations is unbounded. */
function templateOf(names: string[], isKnown: (name: string) => boolean): string {
  if (names.length > 1) return '/trpc (batch)';
  return isKnown(names[0]!) ? `/trpc/${names[0]}` : '/trpc (unknown)';
}

/** Creates the shared state of a request over RPC. Its token is the bearer token, or the console's cookie for the named workspace. */
export function rpcCall(
  req: IncomingMessage,
  { secureCookies }: Pick<Services, 'secureCookies'>,
  /** By default those that the headers name. */
  workspaces?: string[],
): SharedCall {
  const { requestId, ip } = requestInfoOf(req);
  const call = sharedCallOf(req, { requestId, transport: 'rpc', ip });
  if (workspaces) call.workspaces = workspaces;
  if (req.headers.authorization === undefined && isSameOrigin(req)) {
    call.sessions = readSessionCookies(req.headers.cookie, secureCookies);
    call.bearer = selectSessionToken(call.sessions, call.workspaces);
  }
  return call;
}

/** Returns whether a page of our own origin sent the request. Browsers send `Origin` with all requests except same-origin GETs. */
export function isSameOrigin(req: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = req.headers;
  if (origin === undefined) {
    return req.method === 'GET' && (site === undefined || site === 'same-origin' || site === 'none');
  }
  // An app shell has an origin such as `capacitor://localhost`, whatever the host of the service is.
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).host === host;
}
