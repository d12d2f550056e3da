import {
  type Call,
  execute,
  readSessionCookies,
  type Services,
  successBody,
  toApiError,
} from '@firmdesk/domain';
import express, { type RequestHandler, type Router } from 'express';
import { queryOf } from '../request-target.ts';
import { allowOnly, sendError, sendJson } from '../send.ts';
import type { ReadBody } from './body.ts';
import { isSameOrigin, sharedCallOf } from './call.ts';
import { ignoredInBody, ignoredInQuery, ignoredParameters } from './ignored-parameters.ts';
import { ensureUtf8 } from './query-text.ts';
import type { Route } from './routes.ts';

const VERBS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/** Returns the router of `/v1`: one Express route for each declared path. */
export function restRouter(services: Services, routes: readonly Route[], readBody: ReadBody): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(takeUndecodableLiterally);
  const byPath = Map.groupBy(routes, ({ spec }) => spec.rest.path);
  // Express takes the first path that matches, and a fixed segment wins over a parameter.
  const paths = [...byPath.keys()].toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')));
  for (const path of paths) {
    const declared = byPath.get(path)!;
    const methods = declared.map(({ spec }) => spec.rest.method);
    const route = router.route(expressPath(path));
    route.all((req, _res, next) => {
      req.info.route = path;
      next();
    });
    for (const one of declared) route[VERBS[one.spec.rest.method]](restHandler(services, one, readBody));
    route.all(allowOnly(...methods, ...(methods.includes('GET') ? ['HEAD'] : [])));
  }
  return router;
}

/** Returns a declared path as Express writes it, below `/v1`: `/tickets/:ticket` for `/v1/tickets/{ticket}`. */
function expressPath(path: string): string {
  return path.slice('/v1'.length).replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Express rejects a path that cannot be decoded before the token is checked. Here it has malformed ids, which name nothing. */
const takeUndecodableLiterally: RequestHandler = (req, _res, next) => {
  const { path, url } = req;
  try {
    decodeURIComponent(path);
  } catch {
    req.url = path.replaceAll('%', '%25') + url.slice(path.length);
  }
  next();
};

/**
 * Returns the handler that executes a procedure and sends its response. `execute` makes all checks, and reads the body when it needs
 * the input: parsing middleware would read it before the token is checked.
 */
function restHandler(
  services: Services,
  { name, spec, decodeQuery, accepted }: Route,
  readBody: ReadBody,
): RequestHandler<Record<string, string>> {
  return async (req, res) => {
    const { info, params } = req;
    const query = queryOf(req.url);
    const ignored: string[] = [];
    let input: Promise<unknown> | undefined;
    const readInput = async () => {
      ensureUtf8(query, spec, accepted);
      if (query !== '') ignored.push(...ignoredInQuery(accepted, query));
      if (spec.input !== 'body') return { ...decodeQuery(query), ...params };
      const { value, digest } = await readBody(req, res, spec, call.identity);
      call.bodyDigest = digest;
      ignored.push(...ignoredInBody(accepted, value));
      return { ...value, ...params };
    };
    const call: Call = {
      ...sharedCallOf(req, { requestId: info.requestId, transport: 'rest', ip: info.ip }),
      procedure: name,
      target: `${spec.rest.method} ${req.baseUrl}${req.path}`,
      bodyDigest: null,
      readInput: () => (input ??= readInput()),
      signal: undefined,
    };
    // Cookies authorize no call here. A sign-in that sets one ends the session that it replaces.
    if (isSameOrigin(req)) call.sessions = readSessionCookies(req.headers.cookie, services.secureCookies);
    info.call = call;
    const headers = () => {
      info.ignoredParameters = ignored.length;
      return { ...call.reply.headers, ...ignoredParameters(ignored) };
    };
    let output: unknown;
    try {
      output = await execute(spec, services, call);
    } catch (thrown) {
      const error = toApiError(thrown, spec);
      // A replayed error is sent unchanged, with the request id of the first call.
      if (call.reply.body !== null) sendJson(res, error.status, headers(), call.reply.body);
      else sendError(res, error, headers());
      return;
    }
    const status = call.reply.status ?? spec.status[0]!;
    const body = call.reply.body ?? successBody(output, call.requestId, spec.hasMeta);
    sendJson(res, status, headers(), body, spec);
  };
}
