import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
const text = await readFile(join(ROOT, 'SECURITY.md'), 'utf8');

test('each guarantee of SECURITY.md names tests, and they exist', () => {
  const section = text.slice(text.indexOf('## What is tested'), text.indexOf('## Dependencies'));
  const rows = section.split(/\n(?=- )/).slice(1);
  expect(rows.length).toBeGreaterThan(20);
  const named = rows.map((row) => ({
    row,
    files: [...row.matchAll(/`([^`]+\/[^`]+)`/g)].map(([, file]) => file!),
  }));
  expect(named.filter(({ files }) => files.length === 0)).toEqual([]);
  const missing = named
    .flatMap(({ files }) => files)
    .filter((file) => !(file.endsWith('.test.ts') && existsSync(join(ROOT, file))));
  expect(missing).toEqual([]);
});

test('the places that SECURITY.md refers to exist', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link]) => link!);
  const paths = [...text.matchAll(/`((?:packages|apps|test|ops|docs|\.ci)\/[\w./-]+)`/g)].map(
    ([, path]) => path!,
  );
  const missing = [...links, ...paths].filter(
    (path) => !path.startsWith('https:') && !existsSync(join(ROOT, path)),
  );
  expect(missing).toEqual([]);
});
