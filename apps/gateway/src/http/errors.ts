import { ApiError, type Log, toApiError } from '@firmdesk/domain';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { sendError } from './send.ts';

/** Express middleware for paths that nothing serves. */
export const notFound: RequestHandler = (_req, res) => sendError(res, new ApiError('resource_not_found'));

/** Express middleware that answers a request whose handler has failed. */
export function handleError(log: Log): ErrorRequestHandler {
  // Express recognizes it by its four parameters.
  return (error: unknown, req, res, _next) => {
    const api = isRejectedByExpress(error) ? new ApiError('resource_not_found') : toApiError(error);
    if (api.status >= 500) log.error({ request_id: req.info.requestId, err: error }, 'request failed');
    if (res.headersSent) res.destroy();
    else sendError(res, api);
  };
}

/** Returns whether Express refused the path itself, because it cannot be decoded. It gets 404, as any unknown path. */
function isRejectedByExpress(error: unknown): boolean {
  const { status } = error as { status?: number };
  return !(error instanceof ApiError) && status !== undefined && status < 500;
}
