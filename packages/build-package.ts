// Builds the package in the current directory into `dist`: ES modules, and CommonJS in `dist/cjs`.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

function compile(...options: string[]): void {
  execFileSync('tsc', ['-p', 'tsconfig.build.json', ...options], { stdio: 'inherit' });
}

rmSync('dist', { recursive: true, force: true });
compile();
compile(
  ...['--outDir', 'dist/cjs', '--module', 'commonjs', '--moduleResolution', 'bundler'],
  // ES module syntax in a file that becomes CommonJS.
  ...['--verbatimModuleSyntax', 'false'],
);
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
