import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, errorBody } from '@firmdesk/domain';
import { requestIdHeaders } from './request-info.ts';

/** The length in UTF-16 units from which Node writes a buffer several times as fast as a string. */
const LARGE = 65_536;

/** Sends a JSON text, or its bytes in chunks. Responses must not be cached, because they depend on the token. */
export function sendJson(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string | readonly Uint8Array[],
): void {
  const chunks = typeof body !== 'string' ? body : [body.length < LARGE ? body : Buffer.from(body)];
  let length = 0;
  for (const chunk of chunks) length += Buffer.byteLength(chunk);
  res.writeHead(status, {
    ...headers,
    ...requestIdHeaders(req),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': length,
    'Cache-Control': 'no-store',
    Vary: 'Authorization',
    'X-Content-Type-Options': 'nosniff',
  });
  if (req.method === 'HEAD') return void res.end();
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
