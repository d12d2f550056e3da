import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  errorTable,
  MAX_INSTRUCTION_LENGTH,
  MAX_QUERY_LENGTH,
  notificationKinds,
  TOKEN_IDLE_DAYS,
} from '@firmdesk/contract';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// The formatter pads the cells of tables.
const contract = (await readFile(join(ROOT, 'docs/contract.md'), 'utf8')).replace(/ {2,}\|/g, ' |');

/** Returns the section numbers that references can use: headings, and the numbered items of each section (`§5.5`). */
function sectionsOf(text: string): Set<string> {
  const sections = new Set<string>();
  let section = '';
  for (const line of text.split('\n')) {
    const heading = /^#{2,3} (\d+(?:\.\d+)?)\.? /.exec(line)?.[1];
    if (/^#{2,3} /.test(line)) section = heading ?? '';
    if (heading) sections.add(heading);
    const item = /^(\d+)\. /.exec(line)?.[1];
    if (item && section) sections.add(`${section}.${item}`);
  }
  return sections;
}

/** Returns every match of a pattern in the repository, with its place. */
async function referencesTo(pattern: string): Promise<{ at: string; name: string }[]> {
  const { stdout } = await promisify(execFile)(
    'git',
    ['grep', '-noE', pattern, '--', '*.ts', '*.tsx', '*.md', ':!docs/contract.md'],
    { cwd: ROOT },
  ).catch((error: { code: number; stdout: string }) => {
    // git grep exits with 1 if it finds nothing.
    if (error.code === 1) return error;
    throw error;
  });
  if (stdout === '') return [];
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [file, number, name] = line.split(/:(\d+):/) as [string, string, string];
      return { at: `${file}:${number}`, name };
    });
}

test('every section to which code, tests or guides refer exists', async () => {
  const sections = sectionsOf(contract);
  const references = await referencesTo('contract §[0-9]+(\\.[0-9]+)*');
  expect(references.length).toBeGreaterThan(30);
  const missing = references.filter(({ name }) => !sections.has(name.replace('contract §', '')));
  expect(missing).toEqual([]);
});

test('every decision to which code, tests or guides refer is stated', async () => {
  const stated = new Set(contract.match(/\bG-\d+\b/g));
  const references = await referencesTo('\\bG-[0-9]+\\b');
  expect(references.length).toBeGreaterThan(5);
  expect(references.filter(({ name }) => !stated.has(name))).toEqual([]);
});

test('nothing refers to a document outside the repository', async () => {
  // The pattern is composed, so that it does not match itself.
  const outside = ['design', 'spec', 'house', 'anchors'].map((name) => `\\b${name}( §|\\.md)`).join('|');
  expect(await referencesTo(outside)).toEqual([]);
});

test('every record to which code, tests or guides refer exists, and so does every page', async () => {
  const numbers = (await decisionRecords()).map(({ name }) => name.slice(0, 4));
  const records = await referencesTo('docs/decisions/[0-9]{4}');
  expect(records.length).toBeGreaterThan(10);
  expect(records.filter(({ name }) => !numbers.includes(name.slice(-4)))).toEqual([]);
  const links = await referencesTo('\\]\\([^):#]+\\.md');
  expect(links.length).toBeGreaterThan(50);
  const isMissing = ({ at, name }: { at: string; name: string }) =>
    at.split(':')[0]!.endsWith('.md') && !existsSync(join(ROOT, dirname(at), name.slice(2)));
  expect(links.filter(isMissing)).toEqual([]);
});

test('every file and folder that a page names exists', async () => {
  const named = await referencesTo('`(packages|apps|test|tools|ops|lint)/[a-zA-Z0-9_./-]+`');
  const inPages = named.filter(({ at }) => at.split(':')[0]!.endsWith('.md'));
  expect(inPages.length).toBeGreaterThan(50);
  expect(inPages.filter(({ name }) => !existsSync(join(ROOT, name.replaceAll('`', ''))))).toEqual([]);
});

test('every decision record has a number of its own, a context, a decision and a drawback', async () => {
  const records = await decisionRecords();
  expect(new Set(records.map(({ name }) => name.slice(0, 4))).size).toBe(records.length);
  for (const { name, text } of records) {
    expect(text, name).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. `));
    for (const part of ['Context', 'Decision', 'Drawback']) expect(text, name).toContain(`**${part}.**`);
  }
});

test('the index of decision records lists each with its title', async () => {
  const index = await readFile(join(ROOT, 'docs/decisions/README.md'), 'utf8');
  const titles = (await decisionRecords()).map(({ name, text }) => {
    const [, title] = /^# \d+\. (.+)\n/.exec(text)!;
    return `- [${name.slice(0, 4)}](${name}): ${title}`;
  });
  expect(index.split('\n').filter((line) => line.startsWith('- '))).toEqual(titles);
});

async function decisionRecords(): Promise<{ name: string; text: string }[]> {
  const folder = join(ROOT, 'docs/decisions');
  const names = (await readdir(folder)).filter((name) => name !== 'README.md').sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
}

test('every error code is named, with its status', () => {
  const errors = contract.slice(contract.indexOf('\n## 7. '), contract.indexOf('\n## 8. '));
  const listed = [...errors.matchAll(/`(\w+)` (\d{3})/g)].map(([, code, status]) => `${code} ${status}`);
  const expected = Object.entries(errorTable).map(([code, { status }]) => `${code} ${status}`);
  // An invalid query gets 400 with the code for which a body gets 422.
  expect(new Set(listed)).toEqual(new Set([...expected, 'validation_failed 400']));
});

test('every kind of notification is named', () => {
  const named = [...contract.matchAll(/^- `(\w+)`: /gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining([...notificationKinds]));
});

test('the limits are those of the code', () => {
  expect(contract).toContain(
    `| \`instruction\` | ${MAX_INSTRUCTION_LENGTH.toLocaleString('en')} characters |`,
  );
  expect(contract).toContain(`| \`q\` | ${MAX_QUERY_LENGTH} characters |`);
  expect(contract).toContain(`| Idle token | ${TOKEN_IDLE_DAYS} days |`);
});
