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
// Editors read the comments of the declarations; an installed script needs none. The first compilation checks the types.
compile('--declaration', 'false', '--removeComments', '--noCheck');
// Nobody picks modules from CommonJS, so it is one file, which tsc would make half as large again as the ES modules.
await build({
  configFile: false,
  logLevel: 'error',
  build: {
    outDir: 'dist/cjs',
    emptyOutDir: false,
    minify: true,
    target: 'es2022',
    lib: {
      entry: Object.fromEntries(
        entries.map(({ require: { default: file } }) => [nameOf(file), `src/${nameOf(file)}.ts`]),
      ),
      formats: ['cjs'],
      fileName: (_, name) => `${name}.js`,
    },
    // The default export of a CommonJS package is another one for a bundler than for tsc: the only one is taken in.
    rolldownOptions: { external: /^(?!openapi-fetch)[^./]/ },
  },
});
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');

// Declarations are nested deeply: a column of indentation a level instead of four makes the package smaller. Generated files have none.
for (const file of globSync(['dist/**/*.d.ts', 'dist/generated/*.js'])) {
  const columns = file.includes('/generated/') ? 0 : 1;
  const text = readFileSync(file, 'utf8').replace(/^(?: {4})+/gm, ({ length }) =>
    ' '.repeat((length / 4) * columns),
  );
  writeFileSync(file, text);
}

// ES modules have the declarations of CommonJS: a second copy would be a third of the package. An ES module can import the
// types of a CommonJS module; the reverse is an error under `module: node16`.
for (const { import: esm, require: cjs } of entries) {
  const target = posix.relative(posix.dirname(esm.types), cjs.types).replace('.d.ts', '.js');
  writeFileSync(esm.types, `export * from './${target}';\n`);
}
