import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { RequestHandler } from 'express';
import { originOf, pageSecurity } from './page-security.ts';
import { type StaticFile, sendStaticFile, tagOf } from './static-file.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The names that the build gives to compressed forms. */
const suffixes = { br: '.br', gzip: '.gz' } as const;

/** The built console: its files by path, and the HTML page that is served for every page of the console. */
export interface ConsoleFiles {
  files: Map<string, StaticFile>;
  index: StaticFile;
}

/** Reads the built console; returns null if it was not built. */
export async function readConsole(): Promise<ConsoleFiles | null> {
  const dist = join(
    dirname(createRequire(import.meta.url).resolve('@firmdesk/console/package.json')),
    'dist',
  );
  if (!existsSync(join(dist, 'index.html'))) return null;
  const files = new Map<string, StaticFile>();
  const found = await readdir(dist, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths) {
    const type = types[extname(path)];
    if (!type) continue;
    const url = path.slice(dist.length).replaceAll('\\', '/');
    const content = await readFile(path);
    const compressed: StaticFile['compressed'] = {};
    for (const [encoding, suffix] of Object.entries(suffixes)) {
      if (paths.includes(path + suffix)) {
        compressed[encoding as keyof typeof suffixes] = await readFile(path + suffix);
      }
    }
    files.set(url, {
      type,
      etag: tagOf(content),
      // The names of these files contain a hash of their content.
      isImmutable: url.startsWith('/assets/'),
      content,
      compressed,
    });
  }
  return { files, index: files.get('/index.html')! };
}

/**
 * Serves the console at `/`. An unknown path gets `index` if the request accepts HTML, because the console resolves its own paths,
 * and otherwise the API's 404.
 */
export function consoleHandler({ files, index }: ConsoleFiles, publicUrl: () => string): RequestHandler {
  const fileOf = (path: string, wantsPage: boolean) => files.get(path) ?? (wantsPage ? index : undefined);
  const setSecurityHeaders = pageSecurity({
    // The libraries that position menus and lock scrolling insert style elements.
    'style-src': ["'self'", "'unsafe-inline'"],
    'font-src': ["'self'"],
    // Images in tickets and mail are on other servers. Avatars are at the public URL, which can be another than that of the page.
    'img-src': ["'self'", 'data:', 'https:', () => originOf(publicUrl())],
  });
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const file = fileOf(req.path, req.headers.accept?.includes('text/html') ?? false);
    if (!file) return next();
    setSecurityHeaders(req, res, (error) => {
      if (error) return next(error);
      sendStaticFile(req, res, file);
    });
  };
}
