import type { z } from 'zod';

/** The way to a value in the file: names of fields and positions in lists. */
export type Path = readonly PropertyKey[];

/** What is wrong with a world file, and where: `tickets[3].messages[0].from`. */
export type Problem = { path: string; message: string };

/** So many problems are looked for and named: who wrote the file mends what made it, not each record. */
export const MAX_PROBLEMS = 100;

/** A world file that cannot be imported. The message is one line per problem, `path: what is wrong`. */
export class SeedError extends Error {
  override name = 'SeedError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const named = problems.slice(0, MAX_PROBLEMS);
    const lines = named.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    if (problems.length > named.length) lines.push(`and ${problems.length - named.length} more`);
    super(lines.join('\n'));
    this.problems = problems;
  }
}

/** A path as one would write it in JavaScript; the empty path is the file itself. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = String(part);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** The problems of a failed parse; `at` is where the parsed value stands in the file. */
export function problemsOf(error: z.ZodError, at: Path = []): Problem[] {
  return error.issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    // zod names the object that has too much; the reader wants the field.
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: formatPath([...path, key]),
        message: 'is not a field of a world file',
      }));
    }
    return [{ path: formatPath(path), message: issue.message }];
  });
}
