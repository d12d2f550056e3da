import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyTree } from './copy-tree.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const DOMAIN = 'packages/domain/src';

let tree: Awaited<ReturnType<typeof copyTree>>;
let copy: string;
beforeAll(async () => {
  tree = await copyTree();
  copy = tree.path;
});
afterAll(() => tree[Symbol.asyncDispose]());

/** Runs the part of `pnpm verify` that starts with the tool in the copy, and returns its output. Rejects if it fails. */
async function verify(tool: 'biome' | 'knip', ...more: string[]): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const part = (scripts.verify as string).split(' && ').find((each) => each.startsWith(tool));
  const [command, ...args] = part!.split(' ');
  const env = { ...process.env, NO_COLOR: '1' };
  const options = { cwd: copy, env, maxBuffer: 16 * 1024 * 1024 };
  return (await run(join(ROOT, 'node_modules/.bin', command!), [...args, ...more], options)).stdout;
}

/** Returns the output of a part of `pnpm verify` that fails because of these files in the copy. */
async function outputOfFailure(
  files: Record<string, string>,
  ...command: Parameters<typeof verify>
): Promise<string> {
  const paths = Object.keys(files).map((file) => join(copy, DOMAIN, file));
  for (const [index, text] of Object.values(files).entries()) await writeFile(paths[index]!, text);
  const refused = await verify(...command).catch((error: { stdout: string }) => error);
  for (const path of paths) await rm(path);
  if (typeof refused === 'string') throw new Error(`${command[0]} accepts ${Object.keys(files)}.`);
  return refused.stdout;
}

test('accepts the unchanged tree', async () => {
  await verify('biome');
  await verify('knip');
});

const PAST_INDEX = 'A feature uses another one by its index.ts.';
const INLINE_IMPORT = 'Import the type by an import declaration: the rules on imports do not see this form.';

/** Files that break a rule, with the message. */
const broken = [
  ['platform/a.ts', `export * from '../access/policy.ts';`, 'The layer platform uses no other layer.'],
  ['access/a.ts', `export * from '../procedures/spec.ts';`, 'The layer access uses platform alone.'],
  [
    'procedures/a.ts',
    `export * from '../calendar/index.ts';`,
    'The layer procedures uses platform and access alone.',
  ],
  [
    'tickets/a.ts',
    `export * from '../assistant/ticket-assistant.ts';`,
    'The feature tickets uses no features but notifications, and never the layer app.',
  ],
  [
    'calendar/ics/a.ts',
    `export * from '../../push/index.ts';`,
    'The feature calendar uses no other feature, and never the layer app.',
  ],
  [
    'push/a.ts',
    `import type { AppRouter } from '../app/router.ts';\n\nexport type A = AppRouter;`,
    'The feature push uses no features but calendar, and never the layer app.',
  ],
  ['push/b.ts', `export { seriesOf } from '../calendar/series.ts';`, PAST_INDEX],
  [
    'push/c.ts',
    `import type { EventTimes } from '../calendar/series.ts';\n\nexport type C = EventTimes;`,
    PAST_INDEX,
  ],
  ['push/d.ts', `export type D = import('../app/router.ts').AppRouter;`, INLINE_IMPORT],
  [
    'push/e.ts',
    `import type { Pool } from 'pg';\n\nexport const e = (pool: Pool) => pool.query('select 1');`,
    'Query a pool by queryPool(), and within a transaction by Kysely: docs/decisions/0024.',
  ],
  [
    'mail/one.ts',
    `import type { Two } from './two.ts';\n\nexport type One = Two[];`,
    'This import is part of a cycle.',
  ],
  [
    'mail/two.ts',
    `import type { One } from './one.ts';\n\nexport type Two = One | null;`,
    'This import is part of a cycle.',
  ],
] as const;

describe('a forbidden import, also of a type', () => {
  let refused: { path: string; message: string }[];
  beforeAll(async () => {
    const files = Object.fromEntries(broken.map(([file, text]) => [file, `${text}\n`]));
    const output = await outputOfFailure(files, 'biome', '--reporter=json', '--max-diagnostics=none');
    const { diagnostics } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
      diagnostics: { message: string; location: { path: string } }[];
    };
    refused = diagnostics.map(({ message, location: { path } }) => ({ path, message }));
  });

  test.each(broken)('%s: %s', (file, _text, message) => {
    expect(refused).toContainEqual({ path: `${DOMAIN}/${file}`, message });
  });

  test('rejects no other file', () => {
    expect(refused).toHaveLength(broken.length);
  });
});

test('rejects a file that is never imported and an export that is never used', async () => {
  const refusal = await outputOfFailure({ 'mail/dead.ts': 'export const dead = 1;\n' }, 'knip');
  expect(refusal).toContain(`${DOMAIN}/mail/dead.ts`);
  const edited = join(copy, DOMAIN, 'platform/await-steps.ts');
  const text = await readFile(edited, 'utf8');
  const files = { 'platform/await-steps.ts': `${text}\nexport function unused(): void {}\n` };
  const outputForExport = await outputOfFailure(files, 'knip');
  await writeFile(edited, text);
  expect(outputForExport).toMatch(/unused .*platform\/await-steps\.ts/);
});

test('rejects a regular expression that takes more than linear time', async () => {
  const slow = `${DOMAIN}/mail/slow.ts`;
  await writeFile(join(copy, slow), 'export const plain = /a+b/y;\nexport const slow = /(?:a+)+b/y;\n');
  const checked = run(process.execPath, ['lint/regular-expressions.ts'], { cwd: copy });
  await expect(checked).rejects.toMatchObject({
    stderr: expect.stringMatching(/^\S+slow\.ts: \/\(\?:a\+\)\+b\/y takes superlinear time[^/]*$/),
  });
  await rm(join(copy, slow));
});
