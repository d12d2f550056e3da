import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { type Router } from 'express';
import helmet from 'helmet';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Firmdesk: the /v1 reference</title>
  <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  <link rel="icon" href="/docs/assets/favicon-32x32.png">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/assets/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
  requestInterceptor: (request) => {
    if (request.method === 'POST' && !request.headers['Idempotency-Key']) {
      request.headers['Idempotency-Key'] = crypto.randomUUID();
    }
    return request;
  },
});
`;

/** The rendered reference at `/docs`, from files of this installation alone. */
export function docsRouter(): Router {
  const router = express.Router();
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  router.use(
    helmet({
      strictTransportSecurity: false,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'script-src': ["'self'"],
          'style-src': ["'self'", "'unsafe-inline'"],
          'img-src': ["'self'", 'data:'],
          'connect-src': ["'self'"],
          'base-uri': ["'none'"],
          'form-action': ["'none'"],
          'frame-ancestors': ["'none'"],
        },
      },
    }),
  );
  router.get('/', (_req, res) => void res.type('html').send(PAGE));
  router.get('/start.js', (_req, res) => void res.type('js').send(START));
  router.use('/assets', express.static(assets, { index: false, maxAge: '1h' }));
  return router;
}
