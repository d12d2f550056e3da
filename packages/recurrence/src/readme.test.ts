import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const snippets = [...readme.matchAll(/```ts .*?\n(.*?)```/gs)].map((match) => match[1]!);

test.each(snippets.map((code, index) => ({ code, index })))(
  'README snippet $index prints the output that it shows',
  ({ code }) => {
    const folder = mkdtempSync(join(tmpdir(), 'recurrence-readme-'));
    try {
      const file = join(folder, 'snippet.ts');
      writeFileSync(
        file,
        code.replaceAll("'@firmdesk/recurrence'", JSON.stringify(new URL('index.ts', import.meta.url).href)),
      );
      const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim().split('\n');
      const promised = [...code.matchAll(/^\/\/ → (.*)$/gm)].map((match) => match[1]);
      expect(printed).toEqual(promised);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('the README has snippets', () => {
  expect(snippets.length).toBeGreaterThan(2);
});
