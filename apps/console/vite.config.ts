import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Where the development server proxies calls. It keeps the `Host` header, because the session cookie is checked against the origin. */
const gateway = {
  // biome-ignore lint/style/noProcessEnv: build configuration, not runtime code
  target: process.env['FIRMDESK_GATEWAY'] ?? 'http://127.0.0.1:4000',
  ws: true,
};

export default defineConfig({
  plugins: [react(), tailwindcss(), startFirst(), serviceWorker(), precompressed()],
  // A test reads the manifest to add up the scripts of the first load.
  build: {
    target: 'es2023',
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      output: {
        // The first load names every other file, and a hash cannot be compressed.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            { name: 'start', test: /\/src\/start\.ts$|vite\/preload-helper/, priority: 3 },
            // A deployment without new dependencies leaves it in the browsers' caches.
            { name: 'libraries', test: /\/node_modules\//, tags: ['$initial'], priority: 2 },
            // The service worker is an entry of its own, in one file.
            { name: 'console', test: /^(?!.*\/worker\/)/, tags: ['$initial'], priority: 1 },
            // The field for formatted texts, which the list does not have; the editor itself is loaded later.
            {
              name: 'rich-text',
              test: /\/contract\/src\/texts\/rich-text\.ts$|\/console\/src\/rich-text\/(?!editor\.ts)/,
              priority: 0.7,
            },
            // What pages share. The list is loaded without what only the others share, and takes the modules that both need first.
            {
              name: (id, context) =>
                isOfInbox(id, context) && !isSchema(id, context) && !OF_MAIL.test(id)
                  ? 'shared-with-inbox'
                  : null,
              debugName: 'shared-with-inbox',
              minShareCount: 2,
              priority: 0.5,
            },
            // What checks forms is loaded when a form opens, in one file.
            {
              name: (id, context) => (isSchema(id, context) ? 'schemas' : null),
              debugName: 'schemas',
              priority: 0.3,
            },
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/trpc': gateway, '/v1': gateway, '/docs': gateway } },
});

/** Modules of the contract that only schemas and pages with forms use. */
const BESIDE_SCHEMAS =
  /\/contract\/src\/(values\/schema-enumerations|mail\/mail-template-kinds|notifications\/notification-kinds|firm\/export-permissions)\.ts$/;

/** Modules of the contract that only schemas and the pages of mail use. */
const OF_MAIL = /\/contract\/src\/mail\/mail-search\.ts$/;

/** Whether a module belongs to zod, or defines schemas with it. */
function isSchema(id: string, context: Rolldown.ChunkingContext): boolean {
  const isOfZod = (each: string) => each.includes('/node_modules/zod/');
  return (
    BESIDE_SCHEMAS.test(id) || isOfZod(id) || (context.getModuleInfo(id)?.importedIds ?? []).some(isOfZod)
  );
}

/** Whether the inbox's page imports a module, directly or through others. */
function isOfInbox(id: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const { importers = [] } = context.getModuleInfo(id) ?? {};
  return importers.some(
    (importer) => importer.endsWith('/inbox/inbox-page.tsx') || isOfInbox(importer, context, seen),
  );
}

/** Runs the page's first module as soon as it is loaded, without waiting for the other modules. */
function startFirst(): Plugin {
  return {
    name: 'start-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/<script type="module"(?=[^>]* src="\/assets\/start-)/, '$& async'),
    },
  };
}

/** Builds the service worker with the list of the files that it keeps. */
function serviceWorker(): Plugin {
  const fileName = 'service-worker.js';
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      this.emitFile({ type: 'chunk', id: join(import.meta.dirname, 'worker/service-worker.ts'), fileName });
    },
    generateBundle(_options, bundle) {
      const built = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
      const files = JSON.stringify([...built.sort(), 'theme.js', 'icon.svg'].map((name) => `/${name}`));
      const worker = bundle[fileName];
      if (worker?.type !== 'chunk') throw new Error('The service worker was not built.');
      const version = createHash('sha256').update(files).digest('hex').slice(0, 12);
      worker.code = worker.code.replace('__FILES__', files).replace('__VERSION__', `'${version}'`);
    },
  };
}

/** Writes a `.br` and a `.gz` beside each text file of the build, so that the server does not compress at each request. */
function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    async writeBundle({ dir }) {
      const names = await readdir(dir!, { recursive: true });
      await Promise.all(
        names.filter((name) => /\.(js|css|html|svg)$/.test(name)).map((name) => compress(join(dir!, name))),
      );
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}
