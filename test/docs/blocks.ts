import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A piece of code in a page that people read. */
export interface Block {
  /** `README.md:27` */
  at: string;
  language: string;
  /** What stands behind the language: how it is known that the code works. */
  mark: string;
  code: string;
}

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

/** What is drawn or taken from the clock, and what always stands in its place. */
const passing: [RegExp, string][] = [
  [/\b(usr|key|msg|tkt|tmsg|aff_pre|req)_[0-9a-z]{26}\b/g, '$1'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'uuid'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'time'],
  [/\b\d{1,2}:\d\d(?:\s[AP]M)?/g, 'hour'],
];

/** Without what differs from run to run, and without space: JSON is laid out to be read. */
export function essence(text: string): string {
  let rest = text;
  for (const [pattern, name] of passing) rest = rest.replace(pattern, name);
  return rest.replace(/\s+/g, '');
}

/** What was printed as the page says; `…` stands for whatever comes there. */
export function patternOf(expected: string): RegExp {
  const parts = essence(expected)
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`);
}
