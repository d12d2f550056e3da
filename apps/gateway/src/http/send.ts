import { ApiError, errorBody } from '@firmdesk/domain';
import type { RequestHandler, Response } from 'express';
import { UnsupportedCodingError } from './calls/body.ts';
import { COMPRESS_FROM_BYTES } from './compress.ts';
import { entityTagOf, matchesTag } from './entity-tag.ts';

/** The properties of a response that its procedure declares. */
export interface SendOptions {
  /** Whether `If-None-Match` is answered with 304. */
  conditional?: boolean;
  /** Whether the body contains a secret. Such a body is not compressed. */
  hasSecret?: boolean;
}

/**
 * Sends a JSON text. No HTTP cache may store it, because it depends on the token. A client that keeps a conditional response
 * itself can ask whether it has changed.
 */
export function sendJson(
  res: Response,
  status: number,
  headers: Record<string, string>,
  body: string,
  { conditional = false, hasSecret = false }: SendOptions = {},
): void {
  const { req } = res;
  // `Origin`, if pages of other origins are allowed.
  const vary = ['Authorization', 'Accept-Encoding', res.get('Vary')].filter(Boolean).join(', ');
  res.set({ ...headers, 'Cache-Control': 'no-store', Vary: vary, 'X-Content-Type-Options': 'nosniff' });
  if (conditional) {
    // Express's own entity tags are not used: they would contain the request id, and Express never answers 304 to a request with
    // `Cache-Control: no-cache`, which `fetch` sends beside each `If-None-Match`.
    const tag = entityTagOf(body, req.info.requestId);
    res.set('ETag', tag);
    if (matchesTag(req.headers['if-none-match'], tag)) return void res.status(304).end();
  }
  res.locals['hasSecret'] = hasSecret;
  res.status(status).type('json');
  // The length that a GET would have after its compression is unknown, and no other may be sent (RFC 9110 §8.6).
  const isCompressible =
    !hasSecret &&
    (req.headers['accept-encoding'] ?? 'identity') !== 'identity' &&
    Buffer.byteLength(body) >= COMPRESS_FROM_BYTES;
  if (req.method === 'HEAD' && isCompressible) res.end();
  else res.send(body);
}

/** Sends an error in the envelope of the API. */
export function sendError(res: Response, error: ApiError, headers: Record<string, string> = {}): void {
  const body = JSON.stringify(errorBody(error, res.req.info.requestId));
  sendJson(res, error.status, { ...headers, ...headersOf(error) }, body);
}

/** Returns the headers that HTTP requires with some errors (RFC 9110 §11.6.1, §10.2.3, §12.5.3). */
export function headersOf(error: ApiError): Record<string, string> {
  return {
    ...(error.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
    ...(error.cause instanceof UnsupportedCodingError && { 'Accept-Encoding': error.cause.accepted }),
  };
}

/**
 * Returns the last handler of a route, for the methods that it does not have: responds to `OPTIONS` with the others, and rejects all
 * else (RFC 9110 §15.5.6).
 */
export function allowOnly(...methods: string[]): RequestHandler {
  const Allow = [...methods, 'OPTIONS'].join(', ');
  return (req, res) => {
    if (req.method === 'OPTIONS') res.status(204).set({ Allow }).end();
    else sendError(res, new ApiError('method_not_allowed'), { Allow });
  };
}
