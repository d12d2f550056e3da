import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = import.meta.dirname;
const dist = join(root, 'dist');
/** Everything that the build depends on. */
const sources = [
  'build.ts',
  'index.html',
  'package.json',
  'vite.config.ts',
  'public',
  'src',
  'worker',
  '../../packages/client/src',
  '../../packages/contract/src',
  '../../pnpm-lock.yaml',
];

/** Builds the console into `dist` (`pnpm build`). Does nothing when `dist` was built from the same sources. */
async function buildConsole(): Promise<void> {
  const fingerprint = await fingerprintOf(sources.map((source) => join(root, source)));
  const built = await readFile(join(dist, '.sources'), 'utf8').catch(() => null);
  if (built === fingerprint) return;
  process.stderr.write('Building the console…\n');
  // Vite reads NODE_ENV: under `test` it would not make a production build.
  process.env['NODE_ENV'] = 'production';
  // Loaded only when a build is needed, so that a start without one stays fast.
  const { build } = await import('vite');
  const fresh = `${dist}-${process.pid}`;
  try {
    await build({ root, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } });
    await writeFile(join(fresh, '.sources'), fingerprint);
    await rm(dist, { recursive: true, force: true });
    await rename(fresh, dist);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function fingerprintOf(paths: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) await addTo(hash, path);
  return hash.digest('hex');
}

async function addTo(hash: ReturnType<typeof createHash>, path: string): Promise<void> {
  const entries = await readdir(path).catch(() => null);
  if (entries) for (const entry of entries.sort()) await addTo(hash, join(path, entry));
  else
    hash
      .update(path.slice(root.length))
      .update('\0')
      .update(await readFile(path));
}

await buildConsole();
