import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A code block of a page. */
export interface Block {
  /** `README.md:27` */
  at: string;
  language: string;
  /** The text after the language, which says how the block is tested. */
  mark: string;
  code: string;
}

/** Returns the code blocks of a page, in order. */
export async function blocksOf(file: string): Promise<Block[]> {
  const text = await readFile(`${ROOT}/${file}`, 'utf8');
  return [...text.matchAll(/^```(\S*)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language, 2: mark, 3: code }) => ({
      at: `${file}:${text.slice(0, index).split('\n').length}`,
      language: language!,
      mark: mark!.trim(),
      code: code!,
    }),
  );
}

/** Random and time-dependent values, and their fixed replacements. */
const changingValues: [RegExp, string][] = [
  [/\b(usr|key|msg|tkt|tmsg|aff_pre|req)_[0-9a-z]{26}\b/g, '$1'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'uuid'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'time'],
  [/\b\d{1,2}:\d\d(?:\s[AP]M)?/g, 'hour'],
];

/** Removes whitespace, and replaces the values that differ between runs by constants. */
export function normalizeOutput(text: string): string {
  let rest = text;
  for (const [pattern, name] of changingValues) rest = rest.replace(pattern, name);
  return rest.replace(/\s+/g, '');
}

/** Returns a pattern for the printed output; `…` matches anything. */
export function patternOf(expected: string): RegExp {
  const parts = normalizeOutput(expected)
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`);
}
