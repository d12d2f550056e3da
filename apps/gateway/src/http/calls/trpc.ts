import {
  ApiError,
  type AppRouter,
  type Call,
  declaredProcedures,
  decodeInput,
  type ProcedureSpec,
  parseJson,
  type RequestContext,
  type Services,
  toApiError,
  UnreadableJsonError,
} from '@firmdesk/domain';
import { getTRPCErrorShape, transformTRPCResponse } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { compressIfLong } from '../compress.ts';
import { queryOf } from '../request-target.ts';
import { allowOnly, headersOf, sendError, sendJson } from '../send.ts';
import { isJson, objectOf, type ParsedBody, type ReadBody } from './body.ts';
import { rpcCall } from './call.ts';
import { invalidParameter, isUtf8, NOT_UTF8 } from './query-text.ts';

/** The maximum number of calls in a batch. */
export const MAX_BATCH = 20;

/** The segments of a path below `/trpc`. The name of a procedure has no slash, so a path of more than one is unknown. */
type Path = { names: string[] };

const notAllowed = allowOnly('GET', 'POST');

/** Returns the router of `/trpc`: typed RPC over HTTP. Subscriptions are served over websocket only. */
export function trpcRouter(services: Services, procedures: AppRouter, readBody: ReadBody): Router {
  const specs = new Map(declaredProcedures(procedures).map(({ name, spec }) => [name, spec]));
  const callProcedures = createExpressMiddleware({
    router: procedures,
    createContext: ({ res }) => res.locals['context'] as RequestContext,
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

  /** Reads the headers, and leaves the input to the procedures, which read it after their checks. */
  const prepare: RequestHandler<Path> = (req, res, next) => {
    const names = namesIn(req);
    const called = names.flatMap((name) => specs.get(name) ?? []);
    const query = queryOf(req.url);
    const isBatch = new URLSearchParams(query).get('batch') === '1';
    const call = rpcCall(req, services);
    req.info.call = call;
    const error = refusalOf(req, names, isBatch);
    if (error) return sendRpcError(res, procedures, { services, call }, error);
    const read = req.method === 'GET' ? queryReader(query) : bodyReader(req, res, called);
    const readInput = read && inputReader(read, isBatch);
    res.locals['context'] = { services, call, ...(readInput && { readInput }) } satisfies RequestContext;
    res.locals['hasSecret'] = called.some(({ hasSecret }) => hasSecret);
    // This makes tRPC call the procedure that was looked up here. tRPC would check the rest of the query, the media type and the
    // body before the token, and parse the body on the event loop.
    req.url = `/${encodeURIComponent(names.join())}${isBatch ? '?batch=1' : ''}`;
    req.headers['content-type'] = 'application/json';
    req.body = '';
    next();
  };

  const queryReader = (query: string) => async () => ({ value: inputsIn(query), digest: null });

  function bodyReader(req: Request, res: Response, called: ProcedureSpec[]) {
    // The first call that is authorized reads the body for all: it may send no more than that call alone.
    const [smallest] = called.toSorted((a, b) => a.bodyLimit - b.bodyLimit);
    const isReadable = isJson(req);
    return (
      smallest &&
      (async ({ identity }: Call) => {
        if (!isReadable) throw new ApiError('unsupported_media_type');
        return readBody(req, res, smallest, identity);
      })
    );
  }

  const router = express.Router({ caseSensitive: true, strict: true });
  const serve = [prepare, compressIfLong, callProcedures];
  router
    .route('/*names')
    .all((req, res, next) => {
      const names = namesIn(req);
      req.info.route = templateOf(names, (name) => specs.has(name));
      const isStream = names.some((name) => specs.get(name)?.kind === 'subscription');
      if (isStream) sendError(res, new ApiError('resource_not_found'));
      else next();
    })
    // tRPC would answer it with 204, whatever it names.
    .head(notAllowed)
    .get(...serve)
    .post(...serve)
    .all(notAllowed);
  return router;
}

/** Returns the error of a request that tRPC would refuse before it has a context, with whose id it could answer; null for another one. */
function refusalOf(req: Request, names: readonly string[], isBatch: boolean): ApiError | null {
  if (isBatch && names.length > MAX_BATCH)
    return new ApiError('validation_failed', { message: `A batch must have at most ${MAX_BATCH} calls.` });
  if (!isBatch && streamsAnswers(req))
    return new ApiError('validation_failed', { message: 'Only a batch is answered as application/jsonl.' });
  if (!URL.canParse(`http://${req.headers.host ?? 'localhost'}`))
    return new ApiError('validation_failed', { message: 'The header Host must be a host name.' });
  return null;
}

/** Returns whether tRPC would write each answer of the batch as soon as it is known. */
function streamsAnswers({ headers }: Request): boolean {
  const accepted = headers['trpc-accept'] ?? headers.accept ?? '';
  return String(accepted)
    .split(',')
    .some((type) => type.trim() === 'application/jsonl');
}

/** Sends an error in the form of typed RPC, as tRPC sends those of its procedures. */
function sendRpcError(res: Response, router: AppRouter, ctx: RequestContext, error: ApiError): void {
  const { _config: config } = router._def;
  const shape = getTRPCErrorShape({ config, error, type: 'unknown', path: undefined, input: undefined, ctx });
  const body = JSON.stringify(transformTRPCResponse(config, { error: shape }));
  sendJson(res, error.status, headersOf(error), body);
}

type ReadInput = NonNullable<RequestContext['readInput']>;

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

/** Returns the names of the procedures that a path calls. */
function namesIn({ params }: Request<Path>): string[] {
  return params.names.join('/').split(',');
}

/** Returns the route's label. All batches have the same one, because the number of combinations is unbounded. */
function templateOf(names: string[], isKnown: (name: string) => boolean): string {
  if (names.length > 1) return '/trpc (batch)';
  return isKnown(names[0]!) ? `/trpc/${names[0]}` : '/trpc (unknown)';
}
