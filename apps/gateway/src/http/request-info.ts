import type { IncomingMessage } from 'node:http';
import { type Call, newId, systemClock } from '@firmdesk/domain';

/** A request under way: its id, and what its log line will say. */
export interface RequestInfo {
  requestId: string;
  /** The client's address, behind the proxies that are trusted. */
  ip: string;
  /** The route's template, or the procedures of a batch: never a concrete path, which may hold ids. */
  route: string | null;
  call: Call | null;
}

const infos = new WeakMap<IncomingMessage, RequestInfo>();

/** Opens the info of a request and gives it its id. */
export function registerRequest(req: IncomingMessage, ip: string): RequestInfo {
  const requestId = newId('request', systemClock.now());
  const info: RequestInfo = {
    requestId,
    ip,
    route: null,
    call: null,
  };
  infos.set(req, info);
  return info;
}

export function requestInfoOf(req: IncomingMessage): RequestInfo {
  const info = infos.get(req);
  if (!info) throw new Error('The request has no info: it did not pass the first middleware.');
  return info;
}

/** What every answer carries (contract §1, G-2): the call's id, by both names that clients know it by. */
export function requestIdHeaders(req: IncomingMessage): Record<'X-Request-Id' | 'Request-Id', string> {
  const { requestId } = requestInfoOf(req);
  return { 'X-Request-Id': requestId, 'Request-Id': requestId };
}
