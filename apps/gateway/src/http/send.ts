import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, errorBody } from '@firmdesk/domain';
import { COMPRESS_FROM_BYTES, compress } from './compress.ts';
import { type Body, entityTagOf, matchesTag } from './entity-tag.ts';
import { requestIdHeaders, requestInfoOf } from './request-info.ts';

/** The length in UTF-16 units from which Node writes a buffer faster than a string, which it joins with the headers. */
const LARGE = 4_096;

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
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: Body,
  { conditional = false, hasSecret = false }: SendOptions = {},
): void {
  const common = {
    ...headers,
    ...requestIdHeaders(req),
    ...(conditional && { ETag: entityTagOf(body, requestInfoOf(req).requestId) }),
    'Cache-Control': 'no-store',
    // `Origin`, if pages of other origins are allowed.
    Vary: ['Authorization', 'Accept-Encoding', res.getHeader('Vary')].filter(Boolean).join(', '),
    'X-Content-Type-Options': 'nosniff',
  };
  if (common.ETag && matchesTag(req.headers['if-none-match'], common.ETag)) {
    res.writeHead(304, common).end();
    return;
  }
  const chunks = typeof body !== 'string' ? body : [body.length < LARGE ? body : Buffer.from(body)];
  let length = 0;
  for (const chunk of chunks) length += Buffer.byteLength(chunk);
  const isCompressible = length >= COMPRESS_FROM_BYTES && !hasSecret;
  // Called only for what it can compress, because it costs as much as the rest of a small response.
  if (isCompressible && req.headers['accept-encoding'] !== undefined) compress(req, res);
  // The length that a GET would have is unknown, and no other may be sent (RFC 9110 §8.6).
  const isLengthUnknown =
    req.method === 'HEAD' && isCompressible && (req.headers['accept-encoding'] ?? 'identity') !== 'identity';
  res.writeHead(status, {
    ...common,
    'Content-Type': 'application/json; charset=utf-8',
    ...(!isLengthUnknown && { 'Content-Length': length }),
  });
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  for (const chunk of chunks.slice(0, -1)) res.write(chunk);
  res.end(chunks.at(-1));
}

/** Sends an error in the envelope of the API. */
export function sendError(
  req: IncomingMessage,
  res: ServerResponse,
  error: ApiError,
  requestId: string,
  headers: Record<string, string> = {},
): void {
  sendJson(
    req,
    res,
    error.status,
    { ...headers, ...headersOf(error) },
    JSON.stringify(errorBody(error, requestId)),
  );
}

/** Returns the headers that HTTP requires with some errors (RFC 9110 §11.6.1, §10.2.3). */
export function headersOf(error: ApiError): Record<string, string> {
  return {
    ...(error.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
  };
}

/** Rejects a method that the path does not accept (RFC 9110 §15.5.6), or responds to `OPTIONS` with the accepted ones. */
export function rejectMethod(
  req: IncomingMessage,
  res: ServerResponse,
  allowed: readonly string[],
  requestId: string,
): void {
  const Allow = [...allowed, 'OPTIONS'].join(', ');
  if (req.method === 'OPTIONS') res.writeHead(204, { Allow, ...requestIdHeaders(req) }).end();
  else sendError(req, res, new ApiError('method_not_allowed'), requestId, { Allow });
}
