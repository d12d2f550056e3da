import type { IncomingMessage } from 'node:http';
import { ApiError } from '@firmdesk/domain';
import type { RequestHandler } from 'express';
import { sendError } from './send.ts';

const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** What Express would take for the end of a path and query, or trim: a fragment, and characters that a client must encode. */
const NOT_IN_TARGET = /[^!-~]|#/g;

/**
 * Returns a request's target as a path and query, which is all that Express should read. The absolute form (RFC 9112 §3.2.2) names a
 * host too, which is not trusted: the path alone counts. Another form, such as `*`, becomes a path that nothing serves.
 */
export function pathAndQuery(target: string): string {
  const rest = target.replace(ORIGIN, '').replace(NOT_IN_TARGET, encodeURIComponent);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns the query of a target as it was sent: the schemas of procedures decode it, and need its bytes. */
export function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}

/** Returns whether a request names its host more than once. A proxy could read another one than we do (RFC 9112 §3.2). */
export function repeatsHost({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

/** Express middleware that refuses a request with several hosts, as RFC 9112 §3.2 requires. */
export const refuseRepeatedHost: RequestHandler = (req, res, next) => {
  if (!repeatsHost(req)) return next();
  const message = 'A request must have one header Host.';
  sendError(res, new ApiError('validation_failed', { status: 400, message }));
};
