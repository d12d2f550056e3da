import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  type Call,
  callProcedure,
  type Method,
  type Services,
  successBody,
  toApiError,
} from '@firmdesk/domain';
import type { ReadBody } from './body.ts';
import { callOf } from './call.ts';
import { requestInfoOf } from './request-info.ts';
import { type Match, type Route, RouteTable } from './routes.ts';
import { refuseMethod, sendError, sendJson } from './send.ts';

/**
 * `/v1`: finds the declared procedure of a path and method, runs it, and wraps its answer. The checks and their order are
 * the procedure's own; the body is not touched before they ask for it.
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
      return refuseMethod(req, res, allowed, info.requestId);
    }
    const { route } = match;
    info.route = route.spec.rest.path;
    const call = callOf(req, {
      requestId: info.requestId,
      transport: 'rest',
      target: `${route.spec.rest.method} ${path}`,
      ip: info.ip,
    });
    info.call = call;
    try {
      const answer = await run(services, call, match, query, () => readBody(req, res, route.spec));
      const body = call.reply.body ?? successBody(answer, call.requestId, route.spec.hasMeta);
      sendJson(req, res, call.reply.status ?? route.spec.status[0]!, call.reply.headers, body);
    } catch (thrown) {
      const error = toApiError(thrown, route.spec);
      // A replayed refusal is answered word for word, its first request id included.
      if (call.reply.body !== null) sendJson(req, res, error.status, call.reply.headers, call.reply.body);
      else sendError(req, res, error, call.requestId, call.reply.headers);
    }
  };
}

function run(
  services: Services,
  call: Call,
  { route, params }: Match,
  query: string,
  body: () => Promise<Record<string, unknown>>,
): Promise<unknown> {
  let input: Promise<unknown> | undefined;
  const readInput = async () =>
    route.spec.input === 'body'
      ? { ...(await body()), ...params }
      : { ...route.decodeQuery(query), ...params };
  return callProcedure(
    route.procedure,
    route.name,
    call.target!,
    { services, call },
    () => (input ??= readInput()),
  );
}

function methodOf(req: IncomingMessage): Method {
  return (req.method === 'HEAD' ? 'GET' : req.method) as Method;
}
