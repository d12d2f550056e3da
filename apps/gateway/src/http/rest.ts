import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  type Call,
  execute,
  type Method,
  readSessionCookies,
  type Services,
  successBody,
  toApiError,
} from '@firmdesk/domain';
import type { ReadBody } from './body.ts';
import { sharedCallOf } from './call.ts';
import { ignoredInBody, ignoredInQuery, ignoredParameters } from './ignored-parameters.ts';
import { ensureUtf8 } from './query-text.ts';
import { requestInfoOf } from './request-info.ts';
import { type Route, RouteTable } from './routes.ts';
import { rejectMethod, sendError, sendJson } from './send.ts';
import { isSameOrigin } from './trpc.ts';

/**
 * Serves `/v1`: finds the procedure of a path and method, executes it, and sends its response. `execute` makes all checks, and
 * reads the body when it needs the input.
 */
export function restHandler(services: Services, routes: Route[], readBody: ReadBody) {
  const table = new RouteTable(routes);
  return async function handleRest(
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    query: string,
  ): Promise<void> {
    const info = requestInfoOf(req);
    const methods = table.find(path);
    if (!methods) return sendError(req, res, new ApiError('resource_not_found'), info.requestId);
    const match = methods.get(methodOf(req));
    if (!match) {
      info.route = [...methods.values()][0]!.route.spec.rest.path;
      const allowed = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : [])];
      return rejectMethod(req, res, allowed, info.requestId);
    }
    const { route, params } = match;
    const { spec } = route;
    info.route = spec.rest.path;
    const ignored: string[] = [];
    let input: Promise<unknown> | undefined;
    const readInput = async () => {
      ensureUtf8(query, spec, route.accepted);
      if (query !== '') ignored.push(...ignoredInQuery(route.accepted, query));
      if (spec.input !== 'body') return { ...route.decodeQuery(query), ...params };
      const { value, digest } = await readBody(req, res, spec, call.identity);
      call.bodyDigest = digest;
      ignored.push(...ignoredInBody(route.accepted, value));
      return { ...value, ...params };
    };
    const call: Call = {
      ...sharedCallOf(req, { requestId: info.requestId, transport: 'rest', ip: info.ip }),
      procedure: route.name,
      target: `${spec.rest.method} ${path}`,
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
      if (call.reply.body !== null) sendJson(req, res, error.status, headers(), call.reply.body);
      else sendError(req, res, error, call.requestId, headers());
      return;
    }
    const status = call.reply.status ?? spec.status[0]!;
    const body = call.reply.body ?? successBody(output, call.requestId, spec.hasMeta);
    sendJson(req, res, status, headers(), body, spec);
  };
}

function methodOf(req: IncomingMessage): Method {
  return (req.method === 'HEAD' ? 'GET' : req.method) as Method;
}
