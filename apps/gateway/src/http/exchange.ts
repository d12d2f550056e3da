import type { IncomingMessage } from 'node:http';
import { type Call, newId, systemClock } from '@firmdesk/domain';

/** A request under way: its id, and what its log line will say. */
export interface Exchange {
  requestId: string;
  /** The client's address, behind the proxies that are trusted. */
  ip: string;
  /** The route's template, or the procedures of a batch: never a concrete path, which may hold ids. */
  route: string | null;
  call: Call | null;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** Opens the exchange of a request and gives it its id. */
export function openExchange(req: IncomingMessage, ip: string): Exchange {
  const requestId = newId('request', systemClock.now());
  const exchange: Exchange = {
    requestId,
    ip,
    route: null,
    call: null,
  };
  exchanges.set(req, exchange);
  return exchange;
}

export function exchangeOf(req: IncomingMessage): Exchange {
  const exchange = exchanges.get(req);
  if (!exchange) throw new Error('The request has no exchange: it did not pass the first middleware.');
  return exchange;
}

/** What every answer carries (contract §1, G-2): the call's id, by both names that clients know it by. */
export function requestIdHeaders(req: IncomingMessage): Record<'X-Request-Id' | 'Request-Id', string> {
  const { requestId } = exchangeOf(req);
  return { 'X-Request-Id': requestId, 'Request-Id': requestId };
}
