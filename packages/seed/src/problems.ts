import type { z } from 'zod';

/** The path of a value in the file: field names and list positions. */
export type Path = readonly PropertyKey[];

/** A problem of an import file with its path, such as `tickets[3].messages[0].from`. */
export type Problem = { path: string; message: string };

/** The maximum number of reported problems. More would not help to correct the program that wrote the file. */
export const MAX_PROBLEMS = 100;

/** An import file that cannot be imported. The message has one line per problem: `path: message`. */
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

/** Formats a path in JavaScript syntax; the empty path is the file itself. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = String(part);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** Returns the problems of a failed parse; `at` is the path of the parsed value in the file. */
export function problemsOf(error: z.ZodError, at: Path = []): Problem[] {
  return error.issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    // zod reports the object with unknown fields; report each field instead.
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: formatPath([...path, key]),
        message: 'is not a field of an import file',
      }));
    }
    return [{ path: formatPath(path), message: issue.message }];
  });
}
