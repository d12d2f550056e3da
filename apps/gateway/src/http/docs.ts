import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { AppRouter } from '@firmdesk/domain';
import express, { type Router } from 'express';
import helmet from 'helmet';
import { guideNames, readGuide } from './docs-guides.ts';
import { guidePage, indexPage, REFERENCE_PAGE } from './docs-pages.ts';

/** The script of the reference page. */
const START = `const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
darkScheme.addEventListener('change', follow);
follow();

// crypto.randomUUID is missing if the page was loaded over plain HTTP from another machine.
const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

const show = (document) => {
  // The page generates the idempotency key of each POST.
  document.components.parameters['Idempotency-Key'].required = false;
  SwaggerUIBundle({
    spec: document,
    dom_id: '#reference',
    deepLinking: true,
    persistAuthorization: false,
    defaultModelsExpandDepth: 0,
    requestInterceptor: (request) => {
      if (request.method === 'POST' && !request.headers['Idempotency-Key']) {
        request.headers['Idempotency-Key'] = newKey();
      }
      return request;
    },
  });
};
fetch('/v1/openapi.json').then((response) => response.json()).then(show);
`;

/** Serves the documentation at `/docs`: the reference and the guides, without loading any external file. */
export function docsRouter(procedures: AppRouter): Router {
  const router = express.Router();
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const style = readFileSync(new URL('docs.css', import.meta.url), 'utf8');
  const pages = new Map<string, string>();
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
  router.get('/', (_req, res) => void res.type('html').send(indexPage(guideNames.map(readGuide))));
  router.get('/reference', (_req, res) => void res.type('html').send(REFERENCE_PAGE));
  router.get('/guides/:name', (req, res, next) => {
    const name = guideNames.find((known) => known === req.params.name);
    if (!name) return next();
    const page = pages.get(name) ?? guidePage(readGuide(name), procedures);
    pages.set(name, page);
    res.type('html').send(page);
  });
  router.get('/docs.css', (_req, res) => void res.type('css').send(style));
  router.get('/start.js', (_req, res) => void res.type('js').send(START));
  router.use('/assets', express.static(assets, { index: false, maxAge: '1h' }));
  return router;
}
