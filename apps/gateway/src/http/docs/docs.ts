import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { AppRouter } from '@firmdesk/domain';
import express, { type Router } from 'express';
import { BROTLI } from '../compress.ts';
import { pageSecurity } from '../page-security.ts';
import { type StaticFile, sendStaticFile, tagOf } from '../static-file.ts';
import { guideNames, readGuide } from './docs-guides.ts';
import { guidePage, indexPage, referencePage } from './docs-pages.ts';
import { searchSections } from './docs-search.ts';
import type { Json } from './document-components.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The other files of the pages, by their paths. */
const files: Record<string, URL> = {
  'docs.css': new URL('docs.css', import.meta.url),
  'icon.svg': new URL('../../../public/icon.svg', import.meta.url),
  'search.js': new URL('../../../public/search.js', import.meta.url),
  'reference.js': new URL('../../../public/reference.js', import.meta.url),
  'assets/minisearch.js': new URL(import.meta.resolve('minisearch')),
  // The bundle for browsers, which contains all of Scalar.
  'assets/scalar.js': new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')),
};

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
};

export interface Docs {
  procedures: AppRouter;
  /** Returns the OpenAPI document. */
  document: () => Promise<Json>;
  publicUrl: () => string;
}

/** Serves the documentation at `/docs`: the reference, the guides and the search, without loading any external file. */
export function docsRouter({ procedures, document, publicUrl }: Docs): Router {
  const router = express.Router();
  const rendered = new Map<string, string>();
  /** Renders a page when it is first requested. */
  const once = async (path: string, render: () => string | Promise<string>): Promise<string> => {
    const text = rendered.get(path) ?? (await render());
    rendered.set(path, text);
    return text;
  };
  router.use(securityHeaders(["'self'"]));
  router.get('/', async (_req, res) => {
    res.type('html').send(await once('', () => indexPage(guideNames.map(readGuide))));
  });
  // Scalar sets `style` attributes, which no nonce can allow.
  router.get('/reference', securityHeaders(["'self'", "'unsafe-inline'"]), async (_req, res) => {
    res.type('html').send(await once('reference', referencePage));
  });
  router.get('/guides/:name', async (req, res, next) => {
    const name = guideNames.find((known) => known === req.params.name);
    if (!name) return next();
    res.type('html').send(await once(name, () => guidePage(readGuide(name), procedures, publicUrl())));
  });
  router.get('/search.json', async (_req, res) => {
    const sections = async () => JSON.stringify(searchSections(guideNames.map(readGuide), await document()));
    res.type('json').send(await once('search.json', sections));
  });
  for (const [path, file] of Object.entries(files)) {
    let read: Promise<StaticFile> | undefined;
    const readOnce = () => (read ??= compressedFile(file));
    router.get(`/${path}`, async (req, res) => sendStaticFile(req, res, await readOnce()));
  }
  return router;
}

/** Reads a file, and compresses it: the bundle of Scalar takes a tenth of a second. */
async function compressedFile(file: URL): Promise<StaticFile> {
  const content = await readFile(file);
  const [br, gzipped] = await Promise.all([compressBrotli(content, BROTLI), compressGzip(content)]);
  const type = types[extname(file.pathname)]!;
  return { type, etag: tagOf(content), isImmutable: false, content, compressed: { br, gzip: gzipped } };
}

function securityHeaders(styles: string[]) {
  return pageSecurity({ 'style-src': styles, 'img-src': ["'self'", 'data:'] });
}
