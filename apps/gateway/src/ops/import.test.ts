import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase, type TestDatabase } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Outcome, runNode } from './testing/run-node.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await cloneDatabase(inject('postgresUrl'));
  folder = await mkdtemp(join(tmpdir(), 'firmdesk-ops-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database[Symbol.asyncDispose]();
});

/** Writes an import file and runs `ops import` with it. */
async function importFile(name: string, content: unknown, ...options: string[]): Promise<Outcome> {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(content));
  return runNode('ops/main.ts', ['import', file, ...options], { DATABASE_URL: database.url }, folder);
}

const content = {
  firms: [{ slug: 'north', name: 'North' }],
  users: [{ key: 'anna', email: 'anna@north.example', name: 'Anna' }],
  tokens: [{ key: 'api', user: 'anna', firm: 'north', kind: 'api_key' }],
  calendars: [{ key: 'own', firm: 'north', name: 'Own', owner: 'anna' }],
  ics: [
    { calendar: 'own', text: 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:u1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n' },
  ],
};

test('imports a file and writes the created tokens and ids to a file that only the owner can read', async () => {
  const out = join(folder, 'created', 'out.json');
  const { code, stdout, stderr } = await importFile(
    'import.json',
    content,
    '--out',
    out,
    '--json',
    '--batch',
    '2',
  );
  // A slow machine prints progress first.
  expect(stderr).toMatch(/^ics\[0\]: line 2, skipped event u1: /m);
  expect({ code, imported: JSON.parse(stdout) }).toEqual({
    code: 0,
    imported: { imported: { firms: 1, users: 1, calendars: 1, ics: 1, tokens: 1 } },
  });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(out, 'utf8'))).toEqual({
    tokens: { api: expect.stringMatching(/^fd_live_/) },
    ids: {
      users: { anna: expect.stringMatching(/^usr_/) },
      mailboxes: {},
      messages: {},
      calendars: { own: expect.any(Number) },
      events: {},
      tags: {},
      teams: {},
      macros: {},
      tickets: {},
      ticket_messages: {},
      notifications: {},
      pre_registrations: {},
    },
  });

  const again = await importFile('import.json', content, '--out', out);
  expect(again).toEqual({ code: 1, stdout: '', stderr: 'firms[0]: north already exists\n' });
});

test('rejects an invalid file with the path of the problem and writes no --out file', async () => {
  const out = join(folder, 'none.json');
  const users = [
    { key: 'ben', email: 'ben@north.example', name: 'Ben', memberships: [{ firm: 'north', role: 'boss' }] },
  ];
  const { code, stdout, stderr } = await importFile('broken.json', { users }, '--out', out);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  // A slow machine prints progress first.
  expect(stderr).toMatch(/^users\[0\]\.memberships\[0\]\.role: /m);
  await expect(stat(out)).rejects.toThrow('ENOENT');
});

test('changes nothing when --out cannot be written', async () => {
  const file = join(folder, 'import.json');
  const addition = { users: [{ key: 'cleo', email: 'cleo@north.example', name: 'Cleo' }] };
  const failed = await importFile('addition.json', addition, '--out', join(file, 'below-a-file.json'));
  expect(failed.code).toBe(1);
  // A slow machine prints progress first.
  expect(failed.stderr.split('\n').slice(-2)).toEqual([
    `The folder ${file} cannot be created: EEXIST: file already exists, mkdir '${file}'`,
    '',
  ]);
  expect((await importFile('addition.json', addition)).code).toBe(0);
});

test.each(['0', '1.5'])('rejects --batch %s', async (batch) => {
  const { code, stderr } = await importFile('unused.json', content, '--batch', batch);
  expect(code).toBe(2);
  expect(stderr).toContain('It must be an integer from 1 to 999999999.');
});
