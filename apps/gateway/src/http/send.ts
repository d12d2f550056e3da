import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, errorBody } from '@firmdesk/domain';
import { UnsupportedCodingError } from './body.ts';
import { COMPRESS_FROM_BYTES, compress } from './compress.ts';
import { entityTagOf, matchesTag } from './entity-tag.ts';
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
  body: string,
  { conditional = false, hasSecret = false }: SendOptions = {},
): void {
  const tag = conditional ? entityTagOf(body, requestInfoOf(req).requestId) : null;
  const common = commonHeaders(req, res, headers, tag);
  if (sendNotModified(req, res, common, tag)) return;
  const sent = body.length < LARGE ? body : Buffer.from(body);
  const length = Buffer.byteLength(sent);
  const isCompressible = length >= COMPRESS_FROM_BYTES && !hasSecret;
  // Called only for what it can compress, because it costs as much as the rest of a small response.
  if (isCompressible && req.headers['accept-encoding'] !== undefined) compress(req, res);
  // The length that a GET would have is unknown, and no other may be sent (RFC 9110 §8.6).
  const isLengthUnknown =
    req.method === 'HEAD' && isCompressible && (req.headers['accept-encoding'] ?? 'identity') !== 'identity';
  res.writeHead(status, {
    ...common,
    'Content-Type': JSON_TYPE,
    ...(!isLengthUnknown && { 'Content-Length': length }),
  });
  res.end(req.method === 'HEAD' ? undefined : sent);
}

const JSON_TYPE = 'application/json; charset=utf-8';

function commonHeaders(
  req: IncomingMessage,
  res: ServerResponse,
  headers: Record<string, string>,
  tag: string | null,
): Record<string, string> {
  return {
    ...headers,
    ...requestIdHeaders(req),
    ...(tag !== null && { ETag: tag }),
    'Cache-Control': 'no-store',
    // `Origin`, if pages of other origins are allowed.
    Vary: ['Authorization', 'Accept-Encoding', res.getHeader('Vary')].filter(Boolean).join(', '),
    'X-Content-Type-Options': 'nosniff',
  };
}

/** Sends 304 and returns true if the client has the body that the tag identifies. */
function sendNotModified(
  req: IncomingMessage,
  res: ServerResponse,
  headers: Record<string, string>,
  tag: string | null,
): boolean {
  if (tag === null || !matchesTag(req.headers['if-none-match'], tag)) return false;
  res.writeHead(304, headers).end();
  return true;
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

/** Returns the headers that HTTP requires with some errors (RFC 9110 §11.6.1, §10.2.3, §12.5.3). */
export function headersOf(error: ApiError): Record<string, string> {
  return {
    ...(error.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
    ...(error.cause instanceof UnsupportedCodingError && { 'Accept-Encoding': error.cause.accepted }),
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
