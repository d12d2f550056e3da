import type { IncomingMessage } from 'node:http';
import { newId, type SharedCall, systemClock } from '@firmdesk/domain';

/** A request: its id, and the fields of its log line. */
export interface RequestInfo {
  requestId: string;
  /** The `X-Request-Id` that the client or a proxy sent, for the log; null if it is missing or invalid. */
  clientRequestId: string | null;
  /** The client's address, behind trusted proxies. */
  ip: string;
  /** The route's template, or `/trpc (batch)`: never a concrete path, which may contain ids. */
  route: string | null;
  /** The number of parameters and fields that had no effect. */
  ignoredParameters: number;
  call: SharedCall | null;
}

/** Other values are ignored: a log line must stay one line of bounded length. */
const CLIENT_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

const INFO = Symbol('request info');

/** The info is a property of the request, because a WeakMap with an entry per request slows down garbage collection. */
type Registered = IncomingMessage & { [INFO]?: RequestInfo };

/** Gives a request its id and its {@link RequestInfo}. */
export function registerRequest(req: IncomingMessage, ip: string): RequestInfo {
  const requestId = newId('request', systemClock.now());
  const sent = req.headers['x-request-id'];
  const clientRequestId = typeof sent === 'string' && CLIENT_REQUEST_ID.test(sent) ? sent : null;
  const info: RequestInfo = {
    requestId,
    clientRequestId,
    ip,
    route: null,
    ignoredParameters: 0,
    call: null,
  };
  (req as Registered)[INFO] = info;
  return info;
}

/** Returns the info of a registered request. */
export function requestInfoOf(req: IncomingMessage): RequestInfo {
  const info = (req as Registered)[INFO];
  if (!info) throw new Error('The request was not registered.');
  return info;
}

/** Returns the headers of every response (contract §1, G-2): the request's id, under two names. */
export function requestIdHeaders(req: IncomingMessage): Record<'X-Request-Id' | 'Request-Id', string> {
  const { requestId } = requestInfoOf(req);
  return { 'X-Request-Id': requestId, 'Request-Id': requestId };
}
