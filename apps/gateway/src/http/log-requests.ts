import type { Log } from '@firmdesk/domain';
import type { RequestHandler } from 'express';
import type { Metrics } from '../telemetry/metrics.ts';

/** Express middleware that logs and measures a request when its response ends. Logs no secret and no body. */
export function logRequests(log: Log, metrics: Metrics | null): RequestHandler {
  return (req, res, next) => {
    const { info } = req;
    const started = performance.now();
    res.once('close', () => {
      const milliseconds = performance.now() - started;
      // Express sets `route` when one of its routes matches.
      const { route: matched } = req as { route?: { path: unknown } };
      const route = info.route ?? (matched ? String(matched.path) : 'unknown');
      metrics?.request({ method: req.method, route, status: res.statusCode }, milliseconds / 1000);
      if (info.ignoredParameters > 0) metrics?.ignoredParameters(route);
      log.info(
        {
          request_id: info.requestId,
          client_request_id: info.clientRequestId ?? undefined,
          ...info.call?.span,
          token: info.call?.identity?.tokenId,
          workspace: info.call?.workspaceSlug ?? info.call?.identity?.home.slug,
          method: req.method,
          route,
          status: res.statusCode,
          // The line has the number of the parameters, and not their names, which are a part of the body.
          ignored_parameters: info.ignoredParameters || undefined,
          ms: Math.round(milliseconds * 10) / 10,
          aborted: res.writableFinished ? undefined : true,
        },
        'request',
      );
    });
    next();
  };
}
