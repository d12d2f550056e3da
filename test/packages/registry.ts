import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Published } from './api-report.ts';

export interface Registry extends AsyncDisposable {
  /** The lines of an `.npmrc` with which npm installs our packages from this registry, and all others as before. */
  npmrc: string;
}

/** Serves packed packages as an npm registry does: a document for each package, and its tarball. */
export async function openRegistry(tarballs: Record<Published, string>): Promise<Registry> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const documents = new Map<string, string>();
  const files = new Map<string, Buffer>();
  for (const [name, file] of Object.entries(tarballs)) {
    const bytes = await readFile(file);
    const { stdout } = await promisify(execFile)('tar', ['xzOf', file, 'package/package.json']);
    const manifest = JSON.parse(stdout) as { name: string; version: string };
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = { tarball: `${url}/${name}.tgz`, integrity };
    const versions = { [manifest.version]: { ...manifest, dist } };
    const document = { name: manifest.name, 'dist-tags': { latest: manifest.version }, versions };
    documents.set(`/@firmdesk%2f${name}`, JSON.stringify(document));
    files.set(`/${name}.tgz`, bytes);
  }
  server.on('request', ({ url = '' }, res) => {
    const body = documents.get(url) ?? files.get(url);
    res.writeHead(body ? 200 : 404).end(body);
  });
  return {
    npmrc: `@firmdesk:registry=${url}/\n`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
