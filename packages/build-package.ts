// Builds the package in the current directory into `dist`: ES modules, one CommonJS file for each entry in `dist/cjs`, and declarations.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { build } from 'vite';

type Entry = Record<'import' | 'require', { types: string; default: string }>;

function compile(...options: string[]): void {
  execFileSync('tsc', ['-p', 'tsconfig.build.json', ...options], { stdio: 'inherit' });
}

const { publishConfig } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values<Entry>(publishConfig.exports);
const nameOf = (file: string) => posix.basename(file, '.js');

rmSync('dist', { recursive: true, force: true });
compile(
  ...[
    '--emitDeclarationOnly',
    '--outDir',
    'dist/cjs',
    '--module',
    'commonjs',
    '--moduleResolution',
    'bundler',
  ],
  // ES module syntax in a file that becomes CommonJS.
  ...['--verbatimModuleSyntax', 'false'],
);
const lib = {
  entry: Object.fromEntries(
    entries.map(({ require: { default: file } }) => [nameOf(file), `src/${nameOf(file)}.ts`]),
  ),
  fileName: (_: string, name: string) => `${name}.js`,
};
const common = { emptyOutDir: false, target: 'es2022' };
// Modules keep their names, and have no comments and no indentation: editors read those of the declarations.
await build({
  configFile: false,
  logLevel: 'error',
  build: {
    ...common,
    outDir: 'dist',
    minify: false,
    lib: { ...lib, formats: ['es'] },
    rolldownOptions: {
      external: /^[^./]/,
      output: {
        preserveModules: true,
        preserveModulesRoot: 'src',
        minify: { compress: false, mangle: false },
      },
    },
  },
});
// Nobody picks modules from CommonJS, so it is one file, which tsc would make half as large again as the ES modules.
await build({
  configFile: false,
  logLevel: 'error',
  build: {
    ...common,
    outDir: 'dist/cjs',
    minify: true,
    lib: { ...lib, formats: ['cjs'] },
    // The default export of a CommonJS package is another one for a bundler than for tsc: the only one is taken in.
    rolldownOptions: { external: /^(?!openapi-fetch)[^./]/ },
  },
});
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');

// Declarations are nested deeply: without indentation the package is a tenth smaller.
for (const file of globSync('dist/**/*.d.ts')) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^(?: {4})+/gm, ''));
}

// ES modules have the declarations of CommonJS: a second copy would be a third of the package. An ES module can import the
// types of a CommonJS module; the reverse is an error under `module: node16`.
for (const { import: esm, require: cjs } of entries) {
  const target = posix.relative(posix.dirname(esm.types), cjs.types).replace('.d.ts', '.js');
  writeFileSync(esm.types, `export * from './${target}';\n`);
}
