// Builds the package in the current directory into `dist`: ES modules, CommonJS in `dist/cjs`, and declarations.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

type Entry = Record<'import' | 'require', { types: string }>;

const AS_COMMONJS = [
  ...['--outDir', 'dist/cjs', '--module', 'commonjs', '--moduleResolution', 'bundler'],
  // ES module syntax in a file that becomes CommonJS.
  ...['--verbatimModuleSyntax', 'false'],
];

function compile(...options: string[]): void {
  execFileSync('tsc', ['-p', 'tsconfig.build.json', ...options], { stdio: 'inherit' });
}

rmSync('dist', { recursive: true, force: true });
compile('--emitDeclarationOnly', ...AS_COMMONJS);
// Editors read the comments of the declarations; an installed script needs none. The first compilation checks the types.
const asScript = ['--declaration', 'false', '--removeComments', '--noCheck'];
compile(...asScript);
compile(...asScript, ...AS_COMMONJS);
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');

// Declarations and recorded answers are nested deeply: a column of indentation a level instead of four makes the package a twelfth smaller.
// Neither has a text of several lines.
for (const file of globSync(['dist/**/*.d.ts', 'dist/**/generated/*.js'])) {
  const text = readFileSync(file, 'utf8').replace(/^(?: {4})+/gm, ({ length }) => ' '.repeat(length / 4));
  writeFileSync(file, text);
}

// ES modules have the declarations of CommonJS: a second copy would be a third of the package. An ES module can import the
// types of a CommonJS module; the reverse is an error under `module: node16`.
const { publishConfig } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const { import: esm, require: cjs } of Object.values<Entry>(publishConfig.exports)) {
  const target = posix.relative(posix.dirname(esm.types), cjs.types).replace('.d.ts', '.js');
  writeFileSync(esm.types, `export * from './${target}';\n`);
}
