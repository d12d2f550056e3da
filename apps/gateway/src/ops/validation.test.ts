import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_MESSAGE_LENGTH, MAX_SUBJECT_LENGTH } from '@firmdesk/contract';
import { cloneDatabase, type TestDatabase } from '@firmdesk/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Outcome, runNode } from './testing/run-node.ts';

const TICKET = 'tkt_01m7yhs0v8m2p7r4t6w9x1z3b5';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await cloneDatabase(inject('postgresUrl'));
  folder = await mkdtemp(join(tmpdir(), 'firmdesk-ops-'));
  await ops('firm', 'add', '--slug', 'north', '--name', 'North');
  await ops('user', 'add', '--email', 'tess@north.example', '--workspace', 'north', '--role', 'trader');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database[Symbol.asyncDispose]();
});

const ops = (...args: string[]): Promise<Outcome> =>
  runNode('ops/main.ts', args, { DATABASE_URL: database.url }, folder);

describe('trader-message', () => {
  const write = (...args: string[]) =>
    ops('trader-message', '--workspace', 'north', '--from', 'tess@north.example', ...args);

  test.each([
    { wrong: 'body', why: 'must not be empty', args: ['--open', 'Help', ' '] },
    {
      wrong: 'body',
      why: 'must have between 1 and 20000 characters',
      args: ['--ticket', TICKET, 'x'.repeat(MAX_MESSAGE_LENGTH + 1)],
    },
    {
      wrong: 'subject',
      why: 'must have between 1 and 300 characters',
      args: ['--open', 'x'.repeat(MAX_SUBJECT_LENGTH + 1), 'Hello'],
    },
  ])('rejects the same input as the procedures: $wrong $why', async ({ wrong, why, args }) => {
    const { code, stdout, stderr } = await write(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(why);
    expect(stderr).toContain(`at ${wrong}\n`);
  });

  test('opens a ticket and adds a message to it', async () => {
    const opened = JSON.parse((await write('--open', 'Help', 'Hello', '--json')).stdout);
    expect(opened).toMatchObject({ opened: true, ticket: { subject: 'Help', ai_enabled: true } });
    const wrote = JSON.parse((await write('--ticket', opened.ticket.id, 'Again', '--json')).stdout);
    expect(wrote).toMatchObject({
      opened: false,
      ticket: { id: opened.ticket.id },
      message: { body: 'Again' },
    });
  });

  test('requires a ticket or a subject', async () => {
    const { code, stderr } = await write('Hello');
    expect(code).toBe(2);
    expect(stderr).toContain('Either --ticket ID or --open SUBJECT is required.\n');
  });
});

test.each([
  ['deliver-eml', '--mailbox', 'nobody@north.example'],
  ['import-ics', '--calendar', '1'],
])('%s reports each file that it cannot read', async (...command) => {
  const missing = join(folder, 'missing');
  const { code, stdout } = await ops(...command, missing, folder, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([
    { file: missing, reason: `The file ${missing} does not exist.` },
    { file: folder, reason: 'A path must name a file, but names a folder.' },
  ]);
});

test('import-ics accepts exactly the ids that a calendar can have', async () => {
  const file = join(folder, 'empty.ics');
  await writeFile(file, 'BEGIN:VCALENDAR\nEND:VCALENDAR\n');
  const run = (id: string) => ops('import-ics', '--calendar', id, file);
  expect((await run('2147483647')).stderr).toContain('There is no calendar 2147483647.');
  for (const id of ['2147483648', '0', 'x']) {
    expect((await run(id)).stderr).toContain('It must be an id: an integer from 1 to 2147483647.');
  }
});

test('control characters, as in the name of a file, do not reach the terminal', async () => {
  const file = join(folder, 'a\x1b]0;title\x07\x9b31m');
  for (const options of [[], ['--json']]) {
    const { stdout } = await ops('deliver-eml', '--mailbox', 'nobody@north.example', file, ...options);
    expect(stdout).toContain('a\\u001b]0;title\\u0007\\u009b31m');
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  }
});

test('user add rejects the same languages as an import file', async () => {
  const add = (language: string) =>
    ops('user', 'add', '--email', 'lena@north.example', '--workspace', 'north', '--language', language);
  expect(await add('klingon!')).toEqual({
    code: 1,
    stdout: '',
    stderr: '"language" must be a language tag, such as "en" or "pt-BR".\n',
  });
  expect((await add('pt-BR')).code).toBe(0);
});

test('user list rejects an unknown workspace', async () => {
  expect(await ops('user', 'list', '--workspace', 'nosuch')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no workspace nosuch.\n',
  });
  expect((await ops('user', 'list', '--workspace', 'north')).stdout).toContain('tess@north.example');
  expect((await ops('user', 'list', '--workspace', 'platform')).stdout).toBe('(none)\n');
});

describe('a DATA_DIR', () => {
  const check = async (dataDir: string) => {
    const { code, stdout } = await runNode('ops/main.ts', ['check', '--json'], { DATA_DIR: dataDir }, folder);
    expect(code).toBe(1);
    return JSON.parse(stdout).find(({ check }: { check: string }) => check === 'database').detail;
  };

  test('is rejected if it is a file or below one', async () => {
    const file = join(folder, 'plain');
    await writeFile(file, '');
    const refusal = `DATA_DIR cannot be created: EEXIST: file already exists, mkdir '${file}'`;
    expect(await check(file)).toContain(refusal);
    expect(await check(join(file, 'below'))).toContain(refusal);
  });

  test.runIf(process.platform === 'linux')('is rejected if the system cannot create it', async () => {
    expect(await check('/proc/nope/data')).toContain('DATA_DIR cannot be created: ENOENT: ');
  });
});
