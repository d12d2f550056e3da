import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where the development server proxies calls. It keeps the `Host` header, because the session cookie is checked against the origin. */
const gateway = {
  // biome-ignore lint/style/noProcessEnv: build configuration, not runtime code
  target: process.env['FIRMDESK_GATEWAY'] ?? 'http://127.0.0.1:4000',
  ws: true,
};

export default defineConfig({
  plugins: [react(), tailwindcss(), precompressed()],
  build: { target: 'es2023', reportCompressedSize: false, chunkSizeWarningLimit: 900 },
  server: { proxy: { '/trpc': gateway, '/v1': gateway, '/docs': gateway } },
});

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
