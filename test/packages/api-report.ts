import { readdir, readFile } from 'node:fs/promises';

/** The published packages. */
export const published = ['contract', 'recurrence', 'client'] as const;
export type Published = (typeof published)[number];

const ROOT = new URL('../../', import.meta.url);
export const folderOf = (name: Published) => new URL(`packages/${name}/`, ROOT);
/** Returns the URL of the committed report: the package's types when it was last written. */
export const reportOf = (name: Published) => new URL('api.txt', folderOf(name));

/** The modules that packages export. */
const entries = ['./index.ts', './testing.ts'];

/** Returns the types that consumers of the built package can reach, below its version. */
export async function report(name: Published): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', folderOf(name)), 'utf8'));
  // The declarations of the ES modules re-export those of CommonJS.
  const dist = new URL('dist/cjs/', folderOf(name));
  const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.d.ts')).sort();
  const modules = new Map<string, string[]>();
  for (const file of files) {
    const text = await readFile(new URL(file.replaceAll('\\', '/'), dist), 'utf8');
    modules.set(
      `./${file.replaceAll('\\', '/').replace('.d.ts', '.ts')}`,
      statementsIn(withoutComments(text)),
    );
  }
  const index = entries.flatMap((entry) => modules.get(entry) ?? []);
  for (const entry of entries) modules.delete(entry);
  const isReached = reachedFrom(index, modules);
  const parts = [...modules].map(([file, statements]) => [
    file,
    ...statements.filter((statement) => isReached(statement)),
  ]);
  const printed = parts
    .filter(({ length }) => length > 1)
    .map(([file, ...rest]) => `// ${file}\n${rest.join('\n')}\n`);
  return [`// @firmdesk/${name} ${version}\n`, `${index.join('\n')}\n`, ...printed].join('\n');
}

function withoutComments(declarations: string): string {
  return declarations.replaceAll(/^\s*\/\*\*.*?\*\/\n/gms, '').replaceAll(/^\/\/.*\n?/gm, '');
}

/** Returns the top-level statements. */
function statementsIn(text: string): string[] {
  return text
    .split(/^(?=export|declare|interface|type|import)/m)
    .map((statement) => statement.trim())
    .filter(Boolean);
}

/** Returns the name that a statement declares. */
function nameOf(statement: string): string | undefined {
  return /^(?:export )?(?:declare )?(?:interface|type|class|function|const) (\w+)/.exec(statement)?.[1];
}

function wordsOf(text: string): string[] {
  return text.match(/\w+/g) ?? [];
}

/** Returns a test of whether consumers can reach a statement: from the index, directly or through other statements. */
function reachedFrom(index: string[], modules: Map<string, string[]>): (statement: string) => boolean {
  const reexported = index.flatMap((statement) => {
    const file = /^export \* from '(.*)'/.exec(statement)?.[1];
    return (file && modules.get(file)?.filter((one) => one.startsWith('export'))) || [];
  });
  const statements = [...modules.values()].flat();
  const reached = new Set<string>();
  const waiting = wordsOf([...index, ...reexported].join('\n'));
  const byName = Map.groupBy(statements, nameOf);
  for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
    if (reached.has(word) || !byName.has(word)) continue;
    reached.add(word);
    for (const statement of byName.get(word)!) waiting.push(...wordsOf(statement));
  }
  return (statement) => reached.has(nameOf(statement) ?? '');
}

/**
 * Returns the breaking changes between two reports: declarations that were removed or changed, or that require more of
 * callers.
 */
export function breakingChanges(before: string, after: string): string[] {
  const now = declarationsIn(after);
  return [...declarationsIn(before)].flatMap(([name, texts]) => {
    const others = now.get(name);
    if (!others) return [`${name} was removed`];
    if (!texts.every((text) => others.some((other) => containsLines(other, text))))
      return [`${name} was changed`];
    return isInputType(name) && texts.some((text) => others.some((other) => requiresMore(other, text)))
      ? [`${name} requires more`]
      : [];
  });
}

/**
 * Returns whether changes since the report may be breaking: the minor version (below 1.0.0) or the major version has changed,
 * or a pending changeset announces it.
 */
export async function mayBreak(name: Published, before: string): Promise<boolean> {
  const { version } = JSON.parse(await readFile(new URL('package.json', folderOf(name)), 'utf8'));
  const [reported, current] = [/^\/\/ \S+ (\S+)/.exec(before)?.[1] ?? '', version as string].map(
    breakingPart,
  );
  const needed = version.startsWith('0.') ? '(minor|major)' : 'major';
  const changesets = new URL('.changeset/', ROOT);
  const files = (await readdir(changesets)).filter((file) => file.endsWith('.md'));
  const pending = await Promise.all(files.map((file) => readFile(new URL(file, changesets), 'utf8')));
  const announced = new RegExp(`^['"]?@firmdesk/${name}['"]?: ${needed}$`, 'm');
  return reported !== current || pending.some((text) => announced.test(text));
}

function breakingPart(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : `${major}`;
}

/** Returns the declarations of a report by name; an export of the index counts as a declaration. */
function declarationsIn(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (name: string, statement: string) => found.set(name, [...(found.get(name) ?? []), statement]);
  for (const statement of statementsIn(withoutComments(text))) {
    const [, listed] = /^export (?:type )?\{([^}]*)\}/.exec(statement) ?? [];
    for (const name of listed?.split(',') ?? []) {
      if (name.trim()) add(`export ${name.trim().replace(/^type /, '')}`, '');
    }
    const name = nameOf(statement);
    if (name) add(name, statement);
  }
  return found;
}

/** Returns whether callers create values of the type. The name decides: inputs and options. */
function isInputType(name: string): boolean {
  return /(Input|Options)$/.test(name);
}

/** Returns whether the text has a required member that the other lacks. */
function requiresMore(text: string, other: string): boolean {
  const known = new Set(other.split('\n'));
  return text
    .split('\n')
    .some((line) => !known.has(line) && /^\s+[\w'"[\]]+: (?!z\.Zod(Optional|Default|Prefault)\b)/.test(line));
}

/** Returns whether the text contains every line of the other, in order. */
function containsLines(text: string, other: string): boolean {
  const lines = text.split('\n').values();
  return other.split('\n').every((line) => lines.some((candidate) => candidate === line));
}
