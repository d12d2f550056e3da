import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { AppRouter } from '@firmdesk/domain';
import express, { type Router } from 'express';
import helmet from 'helmet';
import { guideNames, readGuide } from './docs-guides.ts';
import { guidePage, indexPage } from './docs-pages.ts';
import { referencePage } from './docs-reference.ts';
import { searchSections } from './docs-search.ts';
import type { Json } from './document-components.ts';

/** The other files of the pages, by their paths. */
const files: Record<string, URL> = {
  'docs.css': new URL('docs.css', import.meta.url),
  'icon.svg': new URL('../../public/icon.svg', import.meta.url),
  'search.js': new URL('../../public/search.js', import.meta.url),
  'reference.js': new URL('../../public/reference.js', import.meta.url),
  'assets/minisearch.js': new URL(import.meta.resolve('minisearch')),
};

export interface Docs {
  procedures: AppRouter;
  /** Returns the OpenAPI document. */
  document: () => Json;
  publicUrl: () => string;
}

/** Serves the documentation at `/docs`: the reference, the guides and the search, without loading any external file. */
export function docsRouter({ procedures, document, publicUrl }: Docs): Router {
  const router = express.Router();
  const rendered = new Map<string, string>();
  /** Renders a page when it is first requested. */
  const once = (path: string, render: () => string): string => {
    const text = rendered.get(path) ?? render();
    rendered.set(path, text);
    return text;
  };
  router.use(
    helmet({
      strictTransportSecurity: false,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'script-src': ["'self'"],
          'style-src': ["'self'"],
          'img-src': ["'self'", 'data:'],
          'connect-src': ["'self'"],
          'base-uri': ["'none'"],
          'form-action': ["'none'"],
          'frame-ancestors': ["'none'"],
        },
      },
    }),
  );
  router.get('/', (_req, res) => {
    res.type('html').send(once('', () => indexPage(guideNames.map(readGuide))));
  });
  router.get('/reference', (_req, res) => {
    res.type('html').send(once('reference', () => referencePage(document(), publicUrl())));
  });
  router.get('/guides/:name', (req, res, next) => {
    const name = guideNames.find((known) => known === req.params.name);
    if (!name) return next();
    res.type('html').send(once(name, () => guidePage(readGuide(name), procedures, publicUrl())));
  });
  router.get('/search.json', (_req, res) => {
    const sections = () => JSON.stringify(searchSections(guideNames.map(readGuide), document()));
    res.type('json').send(once('search.json', sections));
  });
  for (const [path, file] of Object.entries(files)) {
    const text = readFileSync(file, 'utf8');
    router.get(`/${path}`, (_req, res) => void res.type(extname(path)).send(text));
  }
  return router;
}
