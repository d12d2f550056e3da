import type { AppRouter, Log, Services } from '@firmdesk/domain';
import express, { type Express } from 'express';
import type { Metrics } from '../telemetry/metrics.ts';
import { createBodyReader } from './calls/body.ts';
import { restRouter } from './calls/rest.ts';
import { routesOf } from './calls/routes.ts';
import { trpcRouter } from './calls/trpc.ts';
import type { AddressOf } from './client-address.ts';
import { compressResponses } from './compress.ts';
import { type ConsoleFiles, consoleHandler } from './console.ts';
import { type AllowedOrigins, allowOrigins } from './cors.ts';
import { docsRouter } from './docs/docs.ts';
import { openApi } from './docs/openapi.ts';
import { handleError, notFound } from './errors.ts';
import { attachmentHandlers } from './files/attachments.ts';
import { avatarHandler, logoHandler } from './files/avatars.ts';
import { dataFileHandler } from './files/data-files.ts';
import { mailImageHandler } from './files/mail-images.ts';
import { type Health, healthRouter } from './health.ts';
import { logRequests } from './log-requests.ts';
import { ratingRouter } from './pages/rating-page.ts';
import { unsubscribeRouter } from './pages/unsubscribe-page.ts';
import { identifyRequest } from './request-info.ts';
import { refuseRepeatedHost } from './request-target.ts';
import { allowOnly } from './send.ts';
import { setTransportSecurity } from './transport-security.ts';

export interface HttpAppOptions {
  services: Services;
  log: Log;
  metrics: Metrics | null;
  addressOf: AddressOf;
  isDraining: () => boolean;
  corsOrigins: AllowedOrigins;
  /** The procedures to serve. */
  router: AppRouter;
  /** What `/healthz`, `/readyz` and `/metrics` tell; null if another server serves them. */
  health: Health | null;
  /** The console, served at `/`; null redirects `/` to the documentation. */
  console: ConsoleFiles | null;
}

/** Creates the Express application that serves every HTTP request: what happens to a request, in this order. */
export function createHttpApp({
  services,
  log,
  metrics,
  addressOf,
  isDraining,
  corsOrigins,
  router,
  health,
  console,
}: HttpAppOptions): Express {
  const publicUrl = () => services.publicUrl();
  const readBody = createBodyReader();
  const document = openApi(router, publicUrl);
  const attachments = attachmentHandlers(services);

  const app = express();
  app.disable('x-powered-by');
  // `sendJson` makes the tags of JSON. Files have tags of their own.
  app.disable('etag');
  // The schemas of the procedures decode queries.
  app.set('query parser', false);
  // A path has one spelling. Only files and pages may have a trailing slash: `restRouter` and `trpcRouter` are strict.
  app.enable('case sensitive routing');
  app.disable('strict routing');

  app.use(identifyRequest(addressOf));
  app.use(logRequests(log, metrics));
  app.use((_req, res, next) => {
    if (isDraining()) res.set('Connection', 'close');
    next();
  });
  app.use(setTransportSecurity(publicUrl));
  app.use(refuseRepeatedHost);
  app.use(['/v1', '/trpc', '/attachments'], allowOrigins(corsOrigins));
  app.use(['/v1', '/docs'], compressResponses);

  app.route('/v1/openapi.json').get(document.send).all(allowOnly('GET', 'HEAD'));
  app.use('/v1', restRouter(services, routesOf(router), readBody), notFound);
  app.use('/trpc', trpcRouter(services, router, readBody), notFound);
  app
    .route('/attachments/:firm/:id')
    .get(attachments.read)
    .put(attachments.upload)
    .all(allowOnly('GET', 'HEAD', 'PUT'));
  app.route('/data-files/:firm/:id').get(dataFileHandler(services)).all(allowOnly('GET', 'HEAD'));
  app.route('/logos/:hash').get(logoHandler(services)).all(allowOnly('GET', 'HEAD'));
  app.route('/avatars/:hash').get(avatarHandler(services)).all(allowOnly('GET', 'HEAD'));
  app.route('/mail-images/:firm').get(mailImageHandler(services)).all(allowOnly('GET', 'HEAD'));
  app.use('/rate', ratingRouter(services));
  app.use('/unsubscribe', unsubscribeRouter(services));
  if (health) app.use(healthRouter(health));
  app.use('/docs', docsRouter({ procedures: router, document: document.read, publicUrl }));
  if (console) app.use(consoleHandler(console, publicUrl));
  else app.get('/', (_req, res) => res.redirect(302, '/docs/'));
  app.use(notFound);
  app.use(handleError(log));
  return app;
}
