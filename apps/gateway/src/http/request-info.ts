import type { IncomingMessage } from 'node:http';
import { newId, type SharedCall, systemClock } from '@firmdesk/domain';

/** A request: its id, and the fields of its log line. */
export interface RequestInfo {
  requestId: string;
  /** The client's address, behind trusted proxies. */
  ip: string;
  /** The route's template, or the procedures of a batch: never a concrete path, which may contain ids. */
  route: string | null;
  call: SharedCall | null;
}

const INFO = Symbol('request info');

/** A property: a WeakMap with an entry per request makes garbage collection slower. */
type Registered = IncomingMessage & { [INFO]?: RequestInfo };

/** Gives a request its id. */
export function registerRequest(req: IncomingMessage, ip: string): RequestInfo {
  const requestId = newId('request', systemClock.now());
  const info: RequestInfo = { requestId, ip, route: null, call: null };
  (req as Registered)[INFO] = info;
  return info;
}

export function requestInfoOf(req: IncomingMessage): RequestInfo {
  const info = (req as Registered)[INFO];
  if (!info) throw new Error('The request was not registered.');
  return info;
}

/** Returns the headers that every answer has (contract §1, G-2): the request's id under the two names that clients know. */
export function requestIdHeaders(req: IncomingMessage): Record<'X-Request-Id' | 'Request-Id', string> {
  const { requestId } = requestInfoOf(req);
  return { 'X-Request-Id': requestId, 'Request-Id': requestId };
}
