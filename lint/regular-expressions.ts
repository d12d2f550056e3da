// Finds regular expressions whose time grows faster than the text they read: nested or adjacent quantifiers that match the same
// characters, and quantifiers that a search begins again at each position. Part of `pnpm verify`.
import { globSync, readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import { parseSync } from 'vite';

/** `file: /expression/flags` of those that may stay, with the reason. */
const ALLOWED: Record<string, string> = {};

const TESTS = /\.(?:test|citus)\.tsx?$|\/testing\//;
const files = globSync('{packages,apps}/**/*.{js,cjs,mjs,ts,tsx}', {
  exclude: ['**/node_modules', '**/dist', '**/dist-*', '**/.data'],
}).filter((file) => !TESTS.test(file));

interface Literal {
  pattern: string;
  flags: string;
}

/** Returns the regular expressions of a syntax tree. */
function* literalsIn(node: unknown): Generator<Literal> {
  if (typeof node !== 'object' || node === null) return;
  if ('regex' in node) yield node.regex as Literal;
  else for (const child of Object.values(node)) yield* literalsIn(child);
}

let count = 0;
const problems: string[] = [];
for (const file of files) {
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  for (const { pattern: source, flags } of literalsIn(program)) {
    count++;
    const name = `${file}: /${source}/${flags}`;
    const [report] = analyse({ source, flags }).reports;
    if (report && ALLOWED[name] === undefined)
      problems.push(`${name} takes superlinear time for many characters ${report.character.literal.source}`);
  }
}

if (problems.length > 0) {
  console.error(
    `${problems.join('\n')}\nRead such a text without a regular expression, or with one that cannot go back.`,
  );
  process.exitCode = 1;
} else console.log(`${count} regular expressions take linear time.`);
