import { readdir, readFile } from 'node:fs/promises';

/** The packages that others install. */
export const published = ['contract', 'recurrence', 'client'] as const;
export type Published = (typeof published)[number];

const ROOT = new URL('../../', import.meta.url);
export const folderOf = (name: Published) => new URL(`packages/${name}/`, ROOT);
/** The committed report: what the package's types were when it was last written. */
export const reportOf = (name: Published) => new URL('api.txt', folderOf(name));

/** The declarations of the built package, without their comments, under the version that they belong to. */
export async function report(name: Published): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', folderOf(name)), 'utf8'));
  const dist = new URL('dist/', folderOf(name));
  const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.d.ts')).sort();
  const texts = files.map(async (file) => {
    const text = await readFile(new URL(file.replaceAll('\\', '/'), dist), 'utf8');
    const bare = text.replaceAll(/^\s*\/\*\*.*?\*\/\n/gms, '').replaceAll(/^\/\/.*\n?/gm, '');
    return `// ${file}\n${bare.trim()}\n`;
  });
  return `// @firmdesk/${name} ${version}\n\n${(await Promise.all(texts)).join('\n')}`;
}

/** What a package's users lose between two reports: declarations that are gone, or say something else than before. */
export function lost(before: string, after: string): string[] {
  const now = declarationsIn(after);
  return [...declarationsIn(before)].flatMap(([name, texts]) => {
    const others = now.get(name);
    if (!others) return [`${name} is gone`];
    return texts.every((text) => others.some((other) => holds(other, text))) ? [] : [`${name} is another`];
  });
}

/**
 * Whether what changed since the report was written may break: below 1.0.0 the minor version has moved, else the major
 * one, or a changeset that waits for the next release says that it will.
 */
export async function mayBreak(name: Published, before: string): Promise<boolean> {
  const { version } = JSON.parse(await readFile(new URL('package.json', folderOf(name)), 'utf8'));
  const [was, is] = [/^\/\/ \S+ (\S+)/.exec(before)?.[1] ?? '', version as string].map(breakingPart);
  const needed = version.startsWith('0.') ? '(minor|major)' : 'major';
  const changesets = new URL('.changeset/', ROOT);
  const files = (await readdir(changesets)).filter((file) => file.endsWith('.md'));
  const pending = await Promise.all(files.map((file) => readFile(new URL(file, changesets), 'utf8')));
  const announced = new RegExp(`^['"]?@firmdesk/${name}['"]?: ${needed}$`, 'm');
  return was !== is || pending.some((text) => announced.test(text));
}

function breakingPart(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : `${major}`;
}

/** Statements at the top level, by the name that each declares; one that is only imported declares none. */
function declarationsIn(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (name: string, statement: string) => found.set(name, [...(found.get(name) ?? []), statement]);
  for (const statement of text.split(/^(?=\/\/|export|declare|interface|type|import)/m)) {
    const [, listed] = /^export (?:type )?\{([^}]*)\}/.exec(statement) ?? [];
    for (const name of listed?.split(',') ?? []) {
      if (name.trim()) add(`export ${name.trim().replace(/^type /, '')}`, '');
    }
    const named = /^(?:export )?(?:declare )?(?:interface|type|class|function|const) (\w+)/.exec(statement);
    if (named) add(named[1]!, statement.trim());
  }
  return found;
}

/** Whether the text is the other one, or has grown from it line by line. */
function holds(text: string, other: string): boolean {
  const lines = text.split('\n').values();
  return other.split('\n').every((line) => lines.some((candidate) => candidate === line));
}
