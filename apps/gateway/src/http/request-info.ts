import { newId, type SharedCall, systemClock } from '@firmdesk/domain';
import type { RequestHandler } from 'express';
import type { AddressOf } from './client-address.ts';

/** A request: its id, and the fields of its log line. */
export interface RequestInfo {
  requestId: string;
  /** The `X-Request-Id` that the client or a proxy sent, for the log; null if it is missing or invalid. */
  clientRequestId: string | null;
  /** The client's address, behind trusted proxies. */
  ip: string;
  /** The route's template, or `/trpc (batch)`: never a concrete path, which may contain ids. Null if Express's route has the template. */
  route: string | null;
  /** The number of parameters and fields that had no effect. */
  ignoredParameters: number;
  call: SharedCall | null;
}

declare global {
  namespace Express {
    interface Request {
      info: RequestInfo;
    }
  }
}

/** Other values are ignored: a log line must stay one line of bounded length. */
const CLIENT_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Express middleware that gives a request its id, and the response the id's headers (contract §1, G-2) under two names. */
export function identifyRequest(addressOf: AddressOf): RequestHandler {
  return (req, res, next) => {
    const requestId = newId('request', systemClock.now());
    const sent = req.headers['x-request-id'];
    const clientRequestId = typeof sent === 'string' && CLIENT_REQUEST_ID.test(sent) ? sent : null;
    req.info = {
      requestId,
      clientRequestId,
      ip: addressOf(req),
      route: null,
      ignoredParameters: 0,
      call: null,
    };
    res.set({ 'X-Request-Id': requestId, 'Request-Id': requestId });
    next();
  };
}
